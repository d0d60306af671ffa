package studio

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/log"
	"github.com/chromedp/cdproto/network"
	"github.com/chromedp/cdproto/runtime"
	"github.com/chromedp/chromedp"

	"github.com/gazeward/gazeward/curator"
)

// desk is a studio that is served, with everything in a folder of the test.
type desk struct {
	*Server
	address string
	client  *http.Client
}

// enough is how long a test waits for anything before it says that it does not
// come. Only a defect may reach it, never a machine that is slow or busy.
const enough = 4 * time.Minute

// testPeople is how many people are simulated where their number is of no
// account.
const testPeople = 40

// newDesk serves a studio until the test ends.
func newDesk(t testing.TB, change ...func(*Options)) *desk {
	t.Helper()
	o := Options{Home: curator.Home{Dir: filepath.Join(t.TempDir(), "home")}, Addr: "127.0.0.1:0", Program: "gazeward (test)", Audit: audited}
	for _, c := range change {
		c(&o)
	}
	s, err := New(o)
	if err != nil {
		t.Fatal(err)
	}
	address, err := s.Listen()
	if err != nil {
		t.Fatal(err)
	}
	ctx, stop := context.WithCancel(t.Context())
	var served sync.WaitGroup
	served.Go(func() {
		if err := s.Serve(ctx); err != nil {
			t.Error(err)
		}
	})
	s.people = testPeople
	t.Cleanup(func() {
		stop()
		served.Wait()
		if err := s.Close(); err != nil {
			t.Error(err)
		}
	})
	return &desk{Server: s, address: strings.TrimSuffix(address, "/"), client: &http.Client{Timeout: enough}}
}

// browser is a tab that remembers what was said on its console and asked of
// the network.
type browser struct {
	ctx      context.Context
	mu       sync.Mutex
	console  []string
	requests []string
}

// newBrowser starts chromium, or skips the test.
func newBrowser(t *testing.T) *browser {
	t.Helper()
	path := findBrowser()
	if path == "" {
		t.Skip("no browser: install the package chromium to run this test")
	}
	chromium.once.Do(func() { chromium.start(path) })
	if chromium.err != nil && os.Getenv("CI") != "" {
		t.Fatalf("the browser is installed and does not start: %v", chromium.err)
	} else if chromium.err != nil {
		t.Skipf("the browser does not start here: %v", chromium.err)
	}
	ctx, cancel := chromedp.NewContext(chromium.ctx, chromedp.WithNewBrowserContext())
	t.Cleanup(cancel)
	b := &browser{ctx: ctx}
	if err := chromedp.Listen(ctx, b.hear); err != nil {
		t.Fatal(err)
	}
	enable := chromedp.Func(func(ctx context.Context, target *chromedp.Target) error {
		_, errN := cdp.Call(ctx, target, network.Enable, network.EnableParams{})
		_, errL := cdp.Call(ctx, target, log.Enable, cdp.Empty{})
		return errors.Join(errN, errL)
	})
	if err := chromedp.Do(ctx, enable); err != nil {
		t.Fatal(err)
	}
	return b
}

// chromium is one program for all tests; each has a tab and cookies of its own.
var chromium process

type process struct {
	once sync.Once
	ctx  context.Context
	stop []context.CancelFunc
	err  error
}

func (p *process) start(path string) {
	options := []chromedp.ExecAllocatorOption{
		chromedp.ExecPath(path), chromedp.Headless, chromedp.NoFirstRun, chromedp.NoDefaultBrowserCheck, chromedp.DisableGPU, chromedp.WindowSize(1280, 900), chromedp.WSURLReadTimeout(enough),
		chromedp.Flag("disable-quic", true), chromedp.Flag("disable-background-networking", true), chromedp.Flag("disable-component-update", true),
		chromedp.Flag("disable-sync", true), chromedp.Flag("disable-extensions", true), chromedp.Flag("disable-dev-shm-usage", true), chromedp.Flag("force-color-profile", "srgb"),
	}
	if os.Getuid() == 0 { // the sandbox refuses root
		options = append(options, chromedp.NoSandbox)
	}
	ctx, end := chromedp.NewExecAllocator(context.Background(), options...)
	ctx, leave := chromedp.NewContext(ctx)
	p.ctx, p.stop, p.err = ctx, []context.CancelFunc{leave, end}, chromedp.Do(ctx)
}

// TestMain ends the browser with the tests.
func TestMain(m *testing.M) {
	code := m.Run()
	for _, stop := range chromium.stop {
		stop()
	}
	os.Exit(code)
}

func findBrowser() string {
	for _, name := range []string{"chromium", "chromium-browser", "google-chrome"} {
		if path, err := exec.LookPath(name); err == nil {
			return path
		}
	}
	return ""
}

// hear takes the events in their order.
func (b *browser) hear(event any) {
	b.mu.Lock()
	defer b.mu.Unlock()
	switch e := event.(type) {
	case *network.EventRequestWillBeSent:
		b.requests = append(b.requests, e.Request.URL)
	case *runtime.EventExceptionThrown:
		d := e.ExceptionDetails
		text := d.Text
		if d.Exception != nil {
			text += " " + d.Exception.Description
		}
		b.console = append(b.console, fmt.Sprintf("exception: %s (%s:%d)", text, d.URL, d.LineNumber))
	case *runtime.EventConsoleAPICalled:
		text := string(e.Type)
		for _, a := range e.Args {
			text += " " + string(a.Value)
		}
		b.console = append(b.console, text)
	case *log.EventEntryAdded: // refused by the policy, not found, …
		b.console = append(b.console, string(e.Entry.Source)+": "+e.Entry.Text+" "+e.Entry.URL)
	}
}

// quiet checks that nothing was written to the console and that nothing was
// asked of anybody but the studio.
func (b *browser) quiet(t *testing.T, address string) {
	t.Helper()
	b.mu.Lock()
	defer b.mu.Unlock()
	for _, text := range b.console {
		t.Errorf("on the console: %s", text)
	}
	own, err := url.Parse(address)
	if err != nil {
		t.Fatal(err)
	}
	for _, r := range b.requests {
		u, err := url.Parse(r)
		if err != nil || u.Scheme != "blob" && u.Host != own.Host {
			t.Errorf("asked of somebody else: %s", r)
		}
	}
	if len(b.requests) == 0 {
		t.Error("no request was seen at all: the recording of requests does not work")
	}
	b.console, b.requests = nil, nil
}

// do runs actions within a time.
func (b *browser) do(t *testing.T, actions ...chromedp.Action[chromedp.Void]) {
	t.Helper()
	ctx, cancel := context.WithTimeout(b.ctx, enough)
	defer cancel()
	began := time.Now()
	if err := chromedp.Do(ctx, actions...); err != nil {
		t.Fatalf("%v after %v\n%s", err, time.Since(began).Round(time.Second), b.state())
	}
}

// state tells where the browser is and what it shows, for a test that failed.
func (b *browser) state() string {
	ctx, cancel := context.WithTimeout(b.ctx, 30*time.Second)
	defer cancel()
	where, errW := chromedp.Run(ctx, chromedp.Location())
	text, errT := chromedp.Run(ctx, chromedp.Evaluate[string]("document.body.innerText"))
	b.mu.Lock()
	defer b.mu.Unlock()
	return fmt.Sprintf("at %s:\n%s\nconsole: %q %v", where, text, b.console, errors.Join(errW, errT))
}

// ask evaluates an expression on the page.
func ask[T any](t *testing.T, b *browser, expression string) T {
	t.Helper()
	ctx, cancel := context.WithTimeout(b.ctx, enough)
	defer cancel()
	v, err := chromedp.Run(ctx, chromedp.Evaluate[T](expression, chromedp.EvalAwaitPromise))
	if err != nil {
		t.Fatalf("%s: %v\n%s", expression, err, b.state())
	}
	return v
}

// until waits for an expression to become true, also across pages: one that is
// left takes the question with it.
func until(expression string) chromedp.Action[chromedp.Void] {
	return func(ctx context.Context, target *chromedp.Target) (v chromedp.Void, err error) {
		for {
			ok, err := chromedp.Evaluate[bool]("!!("+expression+")")(ctx, target)
			if err == nil && ok {
				return v, nil
			}
			select {
			case <-ctx.Done():
				return v, fmt.Errorf("waiting for %s: %w", expression, errors.Join(err, ctx.Err()))
			case <-time.After(20 * time.Millisecond):
			}
		}
	}
}

// at waits for an address that begins so.
func at(path string) chromedp.Action[chromedp.Void] {
	return until(fmt.Sprintf("location.pathname.startsWith(%q) && document.readyState === 'complete'", path))
}

// click clicks what a CSS selector finds.
func click(selector string) chromedp.Action[chromedp.Void] {
	return chromedp.Click(chromedp.CSS(selector))
}
