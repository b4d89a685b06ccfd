/** The server's answers. A refusal is an Error whose message is the server's sentence. */

export class Refusal extends Error {
  /** @param {string} sentence @param {string | null} key the setting that is at fault, where there is one */
  constructor(sentence, key) {
    super(sentence);
    this.key = key;
  }
}

/** How many questions are open. */
let open = 0;

/** The page says that it is busy while a question is open. @param {number} more */
function count(more) {
  open += more;
  document.getElementById("stage")?.setAttribute("aria-busy", String(open > 0));
}

/** @param {string} path @param {unknown} [body] posted as JSON; without it the path is fetched */
export async function ask(path, body) {
  count(1);
  try {
    return await answerTo(path, body);
  } finally {
    count(-1);
  }
}

/** @param {string} path @param {unknown} body */
async function answerTo(path, body) {
  const options = body === undefined ? {} : { method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify(body) };
  let response;
  try {
    response = await fetch(path, options);
  } catch {
    throw new Refusal("The lab’s server does not answer. Is it still running?", null);
  }
  const answer = await response.json().catch(() => null);
  if (response.ok && answer !== null) return answer;
  throw new Refusal(answer?.error?.sentence ?? `The server answered ${response.status}.`, answer?.error?.key ?? null);
}

/**
 * Asks so that only the newest question's answer counts: a late answer to an older one is dropped.
 */
export class Newest {
  constructor() {
    this.asked = 0;
  }

  /**
   * @template T
   * @param {Promise<T>} answer
   * @returns {Promise<T | null>} null if another question was asked meanwhile
   */
  async of(answer) {
    this.asked += 1;
    const mine = this.asked;
    const value = await answer.catch((error) => {
      if (mine === this.asked) throw error;
      return null;
    });
    return mine === this.asked ? value : null;
  }
}
