// Probabilities as bars: a row for each value, a bar for each series; a value that can be pressed is sent to the kernel.

function node(name, text, attributes) {
  const made = document.createElement(name);
  if (text !== undefined) made.textContent = text;
  for (const [key, value] of Object.entries(attributes || {})) made.setAttribute(key, value);
  return made;
}

function bar(part, most, place, room) {
  const cell = node("td");
  if (part.p > 0) {
    const box = node("div", undefined, { class: "rk-bar rk-bar-" + (place % 3) });
    box.style.width = Math.round((room * part.p) / most) + "px";
    cell.append(box);
  }
  cell.append(node("span", part.text, { class: "rk-bar-text" }));
  return cell;
}

function draw(model, root) {
  const data = model.get("data");
  const focused = root.contains(document.activeElement) ? document.activeElement.dataset.value : undefined;
  const table = node("table");
  table.append(node("caption", data.title));
  const head = node("tr");
  for (const words of [data.name, ...data.series]) head.append(node("th", words, { scope: "col" }));
  const first = node("thead");
  first.append(head);
  const body = node("tbody");
  const most = Math.max(...data.rows.flatMap((row) => row.parts.map((part) => part.p)), 1e-12);
  for (const row of data.rows) {
    const line = node("tr");
    const label = node("th", undefined, { scope: "row" });
    const button = node("button", row.value, { type: "button", "data-value": row.value });
    button.setAttribute("aria-label", data.does + " " + data.name + " " + row.value);
    button.addEventListener("click", () => model.send({ value: row.value }));
    label.append(button);
    line.append(label, ...row.parts.map((part, place) => bar(part, most, place, 420 / data.series.length)));
    for (const cell of line.querySelectorAll("td")) cell.addEventListener("click", () => button.click());
    body.append(line);
  }
  table.append(first, body);
  root.replaceChildren(table);
  if (data.rows.length) root.prepend(node("p", "Press a row to " + data.does + " that value.", { class: "rk-hint" }));
  if (focused !== undefined) {
    const again = [...root.querySelectorAll("button")].find((each) => each.dataset.value === focused);
    if (again) again.focus();
  }
}

function render({ model, el }) {
  const root = node("div", undefined, { class: "rk-bars", tabindex: "0", role: "region", "aria-label": "chart" });
  el.append(root);
  draw(model, root);
  model.on("change:data", () => draw(model, root));
}

export default { render };
