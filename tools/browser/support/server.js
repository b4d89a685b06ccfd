/** Starts the lab's server for a test: `LAB_BINARY` (default: the workspace's debug build) on a free port. */

import { spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { fileURLToPath } from "node:url";

const BUILT = fileURLToPath(new URL("../../../target/debug/lab", import.meta.url));

/**
 * @param {string[]} [more] further arguments
 * @returns {Promise<{url: string, stop: () => Promise<void>}>}
 */
export async function startServer(more = []) {
  const binary = process.env.LAB_BINARY ?? BUILT;
  if (!existsSync(binary)) throw new Error(`${binary} does not exist: run \`cargo build -p lab\` first, or name it in LAB_BINARY.`);
  const child = spawn(binary, ["--no-open", "--port", "0", ...more], { stdio: ["ignore", "pipe", "pipe"] });
  const ended = new Promise((resolve) => child.once("exit", resolve));
  const url = await addressOf(child);
  return {
    url,
    async stop() {
      child.kill("SIGINT");
      await ended;
    },
  };
}

/** The address that the server prints. @param {import("node:child_process").ChildProcess} child @returns {Promise<string>} */
function addressOf(child) {
  return new Promise((resolve, reject) => {
    let said = "";
    const listen = (/** @type {Buffer} */ text) => {
      said += text;
      const port = /http:\/\/(?:localhost|127\.0\.0\.1):(\d+)\//.exec(said)?.[1];
      if (port) resolve(`http://127.0.0.1:${port}/`);
    };
    child.stdout?.on("data", listen);
    child.stderr?.on("data", listen);
    child.once("error", reject);
    child.once("exit", (code) => reject(new Error(`The lab ended with ${code} before it said where it is:\n${said}`)));
  });
}

/** The sweep that the tests open: a folder with the results of `sweeps/small.toml`. */
export function sweepFolder() {
  const folder = process.env.LAB_SWEEP;
  if (!folder) throw new Error("LAB_SWEEP has to name a folder with the results of sweeps/small.toml.");
  return folder;
}
