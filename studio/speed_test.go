package studio

import (
	"crypto/sha256"
	"fmt"
	"slices"
	"testing"
	"time"

	"github.com/chromedp/chromedp"
)

// TestSpeedInTheBrowser prints, as the browser measures them, how long it takes
// until something is painted and until the picture follows the slider, for a map
// of 1050 × 1680 px. The figures depend on the machine, so that only what no
// machine excuses is an error.
func TestSpeedInTheBrowser(t *testing.T) {
	b := newBrowser(t)
	d := newDesk(t)
	page := d.address + "/product?width=1050&height=1680&subjects=300"
	b.do(t, chromedp.Navigate(page), at("/product"), until("performance.getEntriesByName('settled').length > 0"))
	var paints []float64
	for range 7 {
		b.do(t, chromedp.Navigate(d.address+"/ledger"), at("/ledger"), chromedp.Navigate(page), at("/product"), until("performance.getEntriesByName('first-contentful-paint').length > 0"))
		paints = append(paints, ask[float64](t, b, "performance.getEntriesByName('first-contentful-paint')[0].startTime"))
	}
	b.do(t, until("performance.getEntriesByName('settled').length > 0"))
	moves := 0
	for at := 20; at <= 180; at += 7 {
		moves++
		move := fmt.Sprintf("(s => { s.value = %d; s.dispatchEvent(new Event('input', { bubbles: true })) })(document.getElementById('slider'))", at)
		b.do(t, chromedp.Evaluate[chromedp.Void](move), until(fmt.Sprintf("performance.getEntriesByName('slider-to-picture').length >= %d", moves)))
	}
	pictures := ask[[]float64](t, b, "performance.getEntriesByName('slider-to-picture').map(e => e.duration)")
	fmt.Printf("first paint: %.0f ms (median of %d, worst %.0f)\n", median(paints), len(paints), slices.Max(paints))
	fmt.Printf("slider to picture, 1050 × 1680 px: %.0f ms (median of %d, nine of ten within %.0f)\n", median(pictures), len(pictures), quantile(pictures, 0.9))
	if size := ask[[]int](t, b, "[document.getElementById('after').naturalWidth, document.getElementById('after').naturalHeight]"); !slices.Equal(size, []int{1050, 1680}) {
		t.Errorf("the picture has %v px", size)
	}
	if slow := slowness(); slices.Min(paints) > 2000*slow || slices.Min(pictures) > 2000*slow {
		t.Errorf("even the fastest of them took more than 2 s, on a machine that is %.1f times as slow as one of two cores of 2023", slow)
	}
	shoot(t, b, "product-tall")
	b.quiet(t, d.address)
}

// slowness is how many times longer a piece of work takes here and now than on
// two idle cores of 2023; at least 1. A machine that is slow or busy is no
// defect of the page.
func slowness() float64 {
	const usual = 60 * time.Millisecond
	data := make([]byte, 1<<20)
	began := time.Now()
	for range 32 {
		sum := sha256.Sum256(data)
		data[0] = sum[0]
	}
	return max(1, float64(time.Since(began))/float64(usual))
}

func median(values []float64) float64 { return quantile(values, 0.5) }

func quantile(values []float64, q float64) float64 {
	sorted := slices.Sorted(slices.Values(values))
	return sorted[min(len(sorted)-1, int(q*float64(len(sorted))))]
}
