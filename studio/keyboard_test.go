package studio

import (
	"slices"
	"testing"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
)

// reachable numbers what the keyboard should reach, in the order of the page:
// of radio buttons of one name the chosen one stands for all.
const reachable = `(() => {
  const all = [...document.querySelectorAll("a[href], button, input, select, textarea, summary, [tabindex='0']")].filter(e =>
    !e.disabled && e.type !== "hidden" && e.tabIndex >= 0 && e.checkVisibility() && (e.type !== "radio" || e.checked));
  all.forEach((e, i) => { e.dataset.order = i; });
  return all.length;
})()`

// focused is the number of what has the focus, -1 = nothing that is numbered;
// and whether that is seen.
const focused = `(() => {
  const e = document.activeElement;
  if (!e || e.dataset.order === undefined) return [-1, 1];
  const seen = [e, e.previousElementSibling, e.labels?.[0]].filter(Boolean).some(x => {
    const s = getComputedStyle(x);
    return s.outlineStyle !== "none" && parseFloat(s.outlineWidth) >= 2;
  });
  const box = e.getBoundingClientRect();
  const inside = e.classList.contains("hidden") || (box.bottom > 0 && box.top < innerHeight);
  return [Number(e.dataset.order), seen && inside ? 1 : 0];
})()`

// TestKeyboard walks through every page with the Tab key: all that can be used
// is reached, in the order in which it stands on the page, and what has the
// focus is seen.
func TestKeyboard(t *testing.T) {
	b := newBrowser(t)
	d := newDesk(t)
	id := demoData(t, b, d)
	for _, path := range []string{
		"/", "/browse?path=/", "/data/" + id, "/data/" + id + "/recording", "/unit?data=" + id, "/unit?product=series", "/product?data=" + id, "/confirm?data=" + id, "/releases", "/ledger", "/audit",
	} {
		b.do(t, chromedp.Navigate(d.address+path), until("document.readyState === 'complete'"))
		want := ask[int](t, b, reachable)
		var order []int
		for range want + 2 {
			b.do(t, chromedp.KeyEvent(kb.Tab))
			at := ask[[]int](t, b, focused)
			if at[0] < 0 || slices.Contains(order, at[0]) {
				break
			}
			if order = append(order, at[0]); at[1] == 0 {
				t.Errorf("%s: %s has the focus, which is not seen", path, ask[string](t, b, "document.activeElement.outerHTML.slice(0, 120)"))
			}
		}
		if len(order) != want || !slices.IsSorted(order) {
			t.Errorf("%s: the Tab key goes %v, want 0 to %d", path, order, want-1)
		}
	}
	b.quiet(t, d.address)
}
