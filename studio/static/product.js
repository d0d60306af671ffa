// The slider: a sketch follows it at once, the picture as it would be released
// follows when it rests.
import { address, part } from "./live.js";

const low = 0.05, high = 20, steps = 200; // as the server has them
const form = document.getElementById("product");
const slider = document.getElementById("slider"), exact = document.getElementById("epsilon");
const after = document.getElementById("after"), before = document.getElementById("before");
const exactness = document.getElementById("exactness"), spoken = document.getElementById("spoken");
const rest = 300; // ms

// round keeps two digits, three above 10.
const round = (v) => Number(v.toPrecision(v < 10 ? 2 : 3));
const onSlider = (e) => Math.round(steps * Math.log(Math.min(high, Math.max(low, e)) / low) / Math.log(high / low));
const atSlider = (s) => round(low * Math.exp((s / steps) * Math.log(high / low)));

const query = () => address(form).split("?")[1];
const sources = new Map(); // image → address of its blob

// show loads a picture and puts it into its place once it is decoded, so that
// nothing flashes; unless it is not wanted any more.
async function show(img, url, signal) {
  const answer = await fetch(url, { signal });
  if (answer.status !== 200) throw new Error(decodeURIComponent(answer.headers.get("X-Why") || ""));
  const blob = URL.createObjectURL(await answer.blob());
  const next = new Image();
  next.src = blob;
  await next.decode();
  if (signal?.aborted) return URL.revokeObjectURL(blob);
  img.src = blob;
  img.alt = decodeURIComponent(answer.headers.get("X-Alt-Text") || "");
  if (sources.has(img)) URL.revokeObjectURL(sources.get(img));
  sources.set(img, blob);
}

// follow asks for a picture and, while one is on its way, remembers only the
// latest wish. What it returns is kept once nothing is wished for any more.
function follow(img) {
  let wish = null, working = null;
  const work = async () => {
    while (wish) {
      const { url, then } = wish;
      wish = null;
      const shown = await show(img, url).then(() => true, () => false); // the words say what is wrong
      then?.(shown);
    }
    working = null;
  };
  return (url, then) => {
    wish = { url, then };
    return working ??= work();
  };
}

const askAfter = after && follow(after), askBefore = before && follow(before);
let timer, sketched, lastBefore = "", resting = new AbortController();

function measure(from) {
  requestAnimationFrame(() => performance.measure("slider-to-picture", { start: from, end: performance.now() }));
}

// what the picture without noise depends on.
const beforeQuery = () => {
  const q = new URLSearchParams(query());
  q.delete("epsilon");
  q.delete("delta");
  return q.toString();
};

function update() {
  const from = performance.now(), url = address(form);
  resting.abort();
  resting = new AbortController();
  history.replaceState(null, "", url);
  const follows = (shown) => { // the picture comes first, the words after it
    if (shown) measure(from);
    words(url);
  };
  if (askAfter) sketched = askAfter("/preview/after.png?" + query() + "&sketch=1", follows);
  else words(url);
  if (exactness) exactness.textContent = "(a sketch while you choose)";
  clearTimeout(timer);
  timer = setTimeout(settle, rest);
}

async function words(url) {
  const page = await part(url, ["estimate", "spendbar", "eps-words", "sofar", "made"]);
  if (!page) return;
  const strength = document.getElementById("eps-words").textContent;
  slider?.setAttribute("aria-valuetext", "ε = " + exact.value + ", " + strength);
}

function settle() {
  if (askBefore && beforeQuery() !== lastBefore) {
    lastBefore = beforeQuery();
    askBefore("/preview/before.png?" + query());
  }
  if (after) exactly();
  if (spoken && exact) spoken.textContent = "ε = " + exact.value + ": " + document.getElementById("eps-words").textContent;
}

// exactly replaces the sketch, unless the slider moves on.
async function exactly() {
  const { signal } = resting;
  await sketched; // which must not come last
  try {
    await show(after, "/preview/after.png?" + query(), signal);
    if (exactness && !signal.aborted) exactness.textContent = "";
  } catch (e) {
    if (exactness && !signal.aborted) exactness.textContent = "(no preview: " + e.message + ")";
  }
  if (signal.aborted) return;
  performance.mark("settled");
}

slider?.addEventListener("input", () => {
  exact.value = atSlider(Number(slider.value));
  update();
});

form.addEventListener("input", (e) => {
  if (e.target === slider) return;
  if (e.target === exact) {
    const v = Number(exact.value.replace(",", "."));
    if (!(v > 0)) return;
    slider.value = onSlider(v);
  }
  if ("reload" in e.target.dataset) { // another mechanism has other fields
    location.href = address(form);
    return;
  }
  clearTimeout(timer);
  if (e.target.tagName === "SELECT" || e.target === exact) update();
  else timer = setTimeout(update, 250);
});

form.addEventListener("submit", (e) => {
  e.preventDefault();
  update();
});

lastBefore = beforeQuery();
document.getElementById("sides")?.classList.toggle("tall", !!after && after.previousElementSibling?.height > after.previousElementSibling?.width);
if (after) settle();
