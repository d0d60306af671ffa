// Other ways to draw the same release: nothing is spent.
import { address } from "./live.js";

const form = document.getElementById("redraw"), img = document.getElementById("redrawn");
form?.addEventListener("input", async () => {
  const q = address(form).split("?")[1];
  history.replaceState(null, "", "?" + q);
  const next = new Image();
  next.src = form.dataset.link + "?" + q;
  try {
    await next.decode();
    img.src = next.src;
  } catch { /* a newer wish, or none */ }
});
