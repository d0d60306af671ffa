// Follows a job. The connection comes back by itself; the server then says how
// things stand.
const box = document.getElementById("job");

if (box.dataset.state === "running") {
  const bar = document.getElementById("bar"), words = document.getElementById("job-words"), told = document.getElementById("told");
  const spoken = document.getElementById("spoken");
  let said = performance.now(); // screen readers hear how far it is every few seconds, not every step
  const events = new EventSource("/jobs/" + box.dataset.id + "/events");
  events.onmessage = (e) => {
    const job = JSON.parse(e.data);
    if (job.state !== "running") {
      events.close();
      if (job.state === "done" && job.next) location.replace(job.next);
      else location.reload();
      return;
    }
    if (job.total) {
      bar.max = job.total;
      bar.value = job.done;
      words.textContent = job.done + " of " + job.total + " " + job.unit;
    } else {
      bar.removeAttribute("value");
      words.textContent = job.done ? job.done + " " + job.unit : "Working …";
    }
    if (performance.now() - said > 5000) {
      said = performance.now();
      spoken.textContent = words.textContent;
    }
    told.replaceChildren(...job.told.map((text) => Object.assign(document.createElement("li"), { textContent: text })));
  };
}
