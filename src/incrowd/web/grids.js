// Cells of grids. What comes from data is set as text, never as HTML.
window.gridCells = (() => {
  const made = (tag, properties = {}, ...children) => {
    const element = Object.assign(document.createElement(tag), properties);
    element.append(...children);
    return element;
  };

  const columnName = ({value, data}) => {
    const name = made("span", {textContent: value});
    name.dataset.mark = `column-${data.at}`;
    return name;
  };

  // A list of roles with an icon; a choice becomes the value of the cell.
  class Role {
    init({data, node, context}) {
      this.roles = context.roles;
      this.icon = made("span", {className: "material-icons role-icon", ariaHidden: "true"});
      this.field = made("select", {ariaLabel: `Role of ${data.name}`});
      this.suggested = data.suggested;
      for (const {name, about} of this.roles) this.field.append(made("option", {value: name, title: about}));
      this.field.addEventListener("change", () => node.setDataValue("role", this.field.value));
      this.field.dataset.mark = `role-${data.at}`;
      this.box = made("div", {}, this.icon, this.field);
      this.refresh({value: data.role});
    }
    getGui() { return this.box; }
    refresh({value}) {
      const {name, about, icon} = this.roles.find((each) => each.name === value);
      for (const each of this.field.options) {
        const isOther = each.value === this.suggested && each.value !== name;
        each.textContent = isOther ? `${each.value} (suggested)` : each.value;
      }
      this.field.value = name;
      this.field.title = about;
      this.icon.textContent = icon;
      this.box.className = `role-cell role-${name.replace(/\W+/g, "-")}`;
      return true;
    }
  }

  const bars = ({value}) => {
    const most = Math.max(...value, 0);
    const box = made("div", {className: "grid-bars", ariaHidden: "true"});
    for (const share of value) {
      const bar = made("span");
      bar.style.height = `${most ? Math.max(4, 100 * share / most) : 0}%`;
      box.append(bar);
    }
    return box;
  };

  // Keys in a field of a cell are the field's; Enter on its cell goes to the field.
  const keysOfField = ({event}) => {
    if (event.target.matches("select, input, button")) {
      if (event.key === "Escape") event.target.closest("[role=gridcell]")?.focus();
      return event.key !== "Escape";
    }
    if (event.key === "Enter") {
      event.preventDefault();
      event.target.querySelector("select, input, button")?.focus();
      return true;
    }
    return event.key === "Tab";
  };

  const fitRole = ({api, clientWidth}) => {
    api.setColumnWidths([{key: "role", newWidth: clientWidth < 420 ? 122 : 180}]);
  };

  return {Role, bars, columnName, fitRole, keysOfField};
})();
