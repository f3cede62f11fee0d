// A number that is dragged: the page's own range input with a label, and the number beside it in words.
// While the kernel works on one number only the latest of those that came meanwhile waits, so that none piles up.

const OURS = "data-lm-suppress-shortcuts"; // else JupyterLab takes the arrow keys for its cells
let count = 0;

function node(name, text, attributes) {
  const made = document.createElement(name);
  if (text !== undefined) made.textContent = text;
  for (const [key, value] of Object.entries(attributes || {})) made.setAttribute(key, value);
  return made;
}

function render({ model, el }) {
  const id = "rk-slider-" + (count += 1);
  const input = node("input", undefined, { type: "range", id, step: "1", [OURS]: "true" });
  const shown = node("output", undefined, { for: id });
  const box = node("div", undefined, { class: "rk-slider" });
  box.append(node("label", model.get("description"), { for: id }), input, shown);
  el.append(box);
  let working = false;
  let waiting = null;

  function draw() {
    input.min = model.get("min");
    input.max = model.get("max");
    if (!working) input.value = model.get("value");
    shown.textContent = input.value;
  }
  function send(number) {
    working = true;
    waiting = null;
    model.set("asked", number);
    model.set("turn", model.get("turn") + 1);
    model.save_changes();
  }
  function moved() {
    const number = Number(input.value);
    shown.textContent = input.value;
    if (working) waiting = number;
    else if (number !== model.get("value")) send(number);
  }
  function answered() {
    working = false;
    if (waiting !== null && waiting !== model.get("value")) send(waiting);
    else draw();
  }
  input.addEventListener("input", moved);
  input.addEventListener("change", moved);
  input.addEventListener("keydown", (event) => event.stopPropagation()); // else JupyterLab goes to another cell
  model.on("change:value", draw);
  model.on("change:done", answered);
  draw();
}

export default { render };
