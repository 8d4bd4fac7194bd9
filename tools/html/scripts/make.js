/** A new element with properties and children. */
export function make(tag, properties, ...children) {
  const { role, ...others } = properties; // the one that is set as an attribute in every browser
  const made = Object.assign(document.createElement(tag), others);
  if (role) made.setAttribute("role", role);
  made.append(...children);
  return made;
}
