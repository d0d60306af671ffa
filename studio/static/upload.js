// Dropped and chosen files go to the server as they are, folders with their
// paths.
const drop = document.getElementById("drop"), status = document.getElementById("drop-status");
const sending = document.getElementById("sending"), bar = document.getElementById("sent"), text = document.getElementById("sent-text");

// walk lists the files below a dropped folder.
async function walk(entry, path, out) {
  if (entry.isFile) {
    const file = await new Promise((ok, no) => entry.file(ok, no));
    out.push([path + file.name, file]);
    return;
  }
  const reader = entry.createReader();
  for (;;) { // it gives a part of the folder at a time
    const some = await new Promise((ok, no) => reader.readEntries(ok, no));
    if (some.length === 0) return;
    for (const e of some) await walk(e, path + entry.name + "/", out);
  }
}

function send(files) {
  if (files.length === 0) return;
  const form = new FormData();
  for (const [name, file] of files) form.append("files", file, name);
  const request = new XMLHttpRequest();
  request.open("POST", "/upload");
  request.setRequestHeader("Accept", "application/json");
  request.upload.onprogress = (e) => {
    bar.value = e.loaded / e.total;
    text.textContent = Math.round(100 * bar.value) + " %";
  };
  request.onload = () => {
    sending.hidden = true;
    let answer = {};
    try { answer = JSON.parse(request.responseText); } catch { answer = { error: request.responseText }; }
    if (request.status === 202) location.href = "/jobs/" + answer.id;
    else status.textContent = [answer.error || "The files were refused.", answer.hint].filter(Boolean).join(" ");
  };
  request.onerror = () => {
    sending.hidden = true;
    status.textContent = "The files did not arrive. Is the program still running? An upload that is too large is cut off, too.";
  };
  sending.hidden = false;
  status.textContent = "Copying " + files.length + (files.length === 1 ? " file" : " files");
  request.send(form);
}

for (const id of ["files", "folder"]) {
  const input = document.getElementById(id);
  input.addEventListener("change", () => send([...input.files].map((f) => [f.webkitRelativePath || f.name, f])));
}
drop.addEventListener("submit", (e) => e.preventDefault());
for (const kind of ["dragenter", "dragover"]) {
  drop.addEventListener(kind, (e) => {
    e.preventDefault();
    drop.classList.add("over");
  });
}
drop.addEventListener("dragleave", (e) => drop.contains(e.relatedTarget) || drop.classList.remove("over"));
drop.addEventListener("drop", async (e) => {
  e.preventDefault();
  drop.classList.remove("over");
  const entries = [...e.dataTransfer.items].map((i) => i.webkitGetAsEntry?.()).filter(Boolean);
  const out = [];
  for (const entry of entries) await walk(entry, "", out);
  send(out.length ? out : [...e.dataTransfer.files].map((f) => [f.name, f]));
});
