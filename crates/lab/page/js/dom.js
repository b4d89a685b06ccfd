/** Small helpers for building and changing the page. */

const SVG = "http://www.w3.org/2000/svg";

/** The element with this id, which the page must have. @param {string} id @returns {any} */
export function byId(id) {
  const found = document.getElementById(id);
  if (!found) throw new Error(`the page has no element #${id}`);
  return found;
}

/**
 * An HTML element with attributes and children; text is never parsed as markup.
 * @param {string} name
 * @param {Record<string, any>} [attributes]
 * @param {...(Node | string)} children
 * @returns {any}
 */
export function html(name, attributes = {}, ...children) {
  return filled(document.createElement(name), attributes, children);
}

/**
 * The same for SVG.
 * @param {string} name
 * @param {Record<string, any>} [attributes]
 * @param {...(Node | string)} children
 * @returns {any}
 */
export function svg(name, attributes = {}, ...children) {
  return filled(document.createElementNS(SVG, name), attributes, children);
}

/** @param {Element} element @param {Record<string, any>} attributes @param {(Node | string)[]} children */
function filled(element, attributes, children) {
  for (const [name, value] of Object.entries(attributes)) {
    if (value === false || value === undefined || value === null) continue;
    const flag = value === true && !name.startsWith("aria-");
    element.setAttribute(name, flag ? "" : String(value));
  }
  element.append(...children);
  return element;
}

/** Sets text only where it differs: untouched nodes cost no layout. @param {Element} element @param {string} text */
export function setText(element, text) {
  if (element.textContent !== text) element.textContent = text;
}

/** Sets an attribute only where it differs. @param {Element} element @param {string} name @param {string | number} value */
export function setAttribute(element, name, value) {
  const text = String(value);
  if (element.getAttribute(name) !== text) element.setAttribute(name, text);
}

/** A table that scrolls sideways by itself where it is wider than the page. @param {string} name @param {Node} table @param {string} [more] a further class */
export function tableScroller(name, table, more = "") {
  return html("div", { class: `table-scroller ${more}`.trim(), tabindex: 0, role: "group", "aria-label": name }, table);
}
