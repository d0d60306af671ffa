// The button waits for the words.
const phrase = document.getElementById("phrase"), go = document.getElementById("go");
if (phrase) {
  const plain = (s) => s.toLowerCase().trim().split(/\s+/).join(" ").replaceAll(",", ".");
  const check = () => { go.disabled = plain(phrase.value) !== plain(phrase.dataset.want); };
  phrase.addEventListener("input", check);
  check();
  document.getElementById("spend").addEventListener("submit", () => setTimeout(() => { go.disabled = true; }));
}
