// Parts of a page are brought up to date by asking for the page again and taking
// those parts out of it: the server writes all words once.

let asked = 0;

// part replaces the elements with these ids by those of the page at url. A
// newer request wins; it returns false then.
export async function part(url, ids) {
  const mine = ++asked;
  const answer = await fetch(url, { headers: { Accept: "text/html" } });
  const text = await answer.text();
  if (mine !== asked) return false;
  const page = new DOMParser().parseFromString(text, "text/html");
  for (const id of ids) {
    const from = page.getElementById(id), to = document.getElementById(id);
    if (from && to) to.replaceWith(document.adoptNode(from));
  }
  return page;
}

// address is where a form of the method GET leads, without empty values.
export function address(form) {
  const q = new URLSearchParams();
  for (const [name, value] of new FormData(form)) if (value !== "") q.append(name, value);
  return form.getAttribute("action") + "?" + q;
}
