// The page of units and bounds: what follows from a choice is shown at once.
import { address, part } from "./live.js";

for (const form of document.querySelectorAll("form[data-live]")) {
  let timer;
  const update = async (e) => {
    if (e.target.id === "mechanism") { // another mechanism has other fields
      location.href = address(form);
      return;
    }
    clearTimeout(timer);
    timer = setTimeout(async () => {
      const url = address(form);
      history.replaceState(null, "", url);
      await part(url, [form.dataset.live]);
    }, e.type === "input" ? 250 : 0);
  };
  form.addEventListener("input", update);
}
