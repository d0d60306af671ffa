package studio

import (
	"bytes"
	"context"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"encoding/pem"
	"errors"
	"io"
	"math/big"
	"mime/multipart"
	"net"
	"net/http"
	"net/textproto"
	"net/url"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/gazeward/gazeward/curator"
)

// ask sends a request as it stands and returns status and body.
func (d *desk) ask(t *testing.T, r *http.Request) (int, string, http.Header) {
	t.Helper()
	client := *d.client
	client.CheckRedirect = func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }
	answer, err := client.Do(r)
	if err != nil {
		t.Fatal(err)
	}
	defer answer.Body.Close()
	body, err := io.ReadAll(answer.Body)
	if err != nil {
		t.Fatal(err)
	}
	return answer.StatusCode, string(body), answer.Header
}

// request is one as this page's own scripts send it: with cookie and Origin.
func (d *desk) request(t *testing.T, method, path string, body io.Reader) *http.Request {
	t.Helper()
	r, err := http.NewRequestWithContext(t.Context(), method, d.address+path, body)
	if err != nil {
		t.Fatal(err)
	}
	r.AddCookie(&http.Cookie{Name: d.door.cookieName(), Value: d.door.cookie})
	r.Header.Set("Origin", d.address)
	r.Header.Set("Sec-Fetch-Site", "same-origin")
	if method == http.MethodPost {
		r.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	}
	return r
}

// TestWritesAreGuarded: a write needs the page's cookie, its Origin and its
// Host; each alone is not enough.
func TestWritesAreGuarded(t *testing.T) {
	d := newDesk(t)
	port := strings.TrimPrefix(d.address, "http://127.0.0.1:")
	for name, change := range map[string]func(*http.Request){
		"no cookie":                      func(r *http.Request) { r.Header.Del("Cookie") },
		"another cookie":                 func(r *http.Request) { r.Header.Set("Cookie", d.door.cookieName()+"=guess") },
		"an empty cookie":                func(r *http.Request) { r.Header.Set("Cookie", d.door.cookieName()+"=") },
		"no Origin":                      func(r *http.Request) { r.Header.Del("Origin") },
		"Origin of another site":         func(r *http.Request) { r.Header.Set("Origin", "https://evil.example") },
		"Origin null, as of a sandbox":   func(r *http.Request) { r.Header.Set("Origin", "null") },
		"Origin of another port":         func(r *http.Request) { r.Header.Set("Origin", "http://127.0.0.1:1") },
		"Origin by another name of ours": func(r *http.Request) { r.Header.Set("Origin", "http://localhost:"+port) },
		"Origin with another scheme":     func(r *http.Request) { r.Header.Set("Origin", "https://127.0.0.1:"+port) },
		"a cross-site request":           func(r *http.Request) { r.Header.Set("Sec-Fetch-Site", "cross-site") },
		"a request of another port":      func(r *http.Request) { r.Header.Set("Sec-Fetch-Site", "same-site") },
		"a rebound name":                 func(r *http.Request) { r.Host = "evil.example:" + port },
		"a rebound name, its own Origin": func(r *http.Request) {
			r.Host = "evil.example:" + port
			r.Header.Set("Origin", "http://evil.example:"+port)
		},
		"PUT":    func(r *http.Request) { r.Method = http.MethodPut },
		"DELETE": func(r *http.Request) { r.Method = http.MethodDelete },
	} {
		for _, path := range []string{"/demo", "/data", "/upload", "/spend?data=x", "/jobs/x/cancel", "/data/x/forget", "/data/x/options", "/data/x/areas", "/audit"} {
			r := d.request(t, http.MethodPost, path, strings.NewReader("path=/"))
			change(r)
			if status, body, _ := d.ask(t, r); status < 400 || !strings.HasPrefix(body, "Refused") {
				t.Errorf("%s: POST %s was answered with %d: %.80s", name, path, status, body)
			}
		}
	}
	if n := len(d.sources.list()); n != 0 {
		t.Errorf("%d data sets were opened by requests that were to be refused", n)
	}
	if status, body, _ := d.ask(t, d.request(t, http.MethodPost, "/demo", nil)); status != http.StatusSeeOther {
		t.Errorf("the page's own request was answered with %d: %s", status, body)
	}
}

// TestReadsAreGuarded: reading needs no token on this machine, but other sites'
// pages and foreign names get nothing.
func TestReadsAreGuarded(t *testing.T) {
	d := newDesk(t)
	port := strings.TrimPrefix(d.address, "http://127.0.0.1:")
	paths := []string{"/", "/product", "/ledger", "/static/studio.css", "/preview/before.png", "/jobs/x/events"}
	for name, change := range map[string]func(*http.Request){
		"a rebound name":            func(r *http.Request) { r.Host = "evil.example:" + port },
		"a rebound name like ours":  func(r *http.Request) { r.Host = "127.0.0.1.evil.example:" + port },
		"another port":              func(r *http.Request) { r.Host = "127.0.0.1:1" },
		"no port":                   func(r *http.Request) { r.Host = "127.0.0.1" },
		"another loopback address":  func(r *http.Request) { r.Host = "127.0.0.2:" + port },
		"a cross-site request":      func(r *http.Request) { r.Header.Set("Sec-Fetch-Site", "cross-site") },
		"a request of another port": func(r *http.Request) { r.Header.Set("Sec-Fetch-Site", "same-site") },
		"Origin of another site":    func(r *http.Request) { r.Header.Set("Origin", "https://evil.example") },
	} {
		for _, path := range paths {
			r, err := http.NewRequestWithContext(t.Context(), http.MethodGet, d.address+path, nil)
			if err != nil {
				t.Fatal(err)
			}
			change(r)
			status, body, h := d.ask(t, r)
			if status < 400 || !strings.HasPrefix(body, "Refused") || h.Get("Set-Cookie") != "" {
				t.Errorf("%s: GET %s was answered with %d, cookie %q: %.80s", name, path, status, h.Get("Set-Cookie"), body)
			}
			if h.Get("Access-Control-Allow-Origin") != "" {
				t.Errorf("%s: other sites are let in", name)
			}
		}
	}
	for _, host := range []string{"localhost:" + port, "[::1]:" + port, "127.0.0.1:" + port} {
		r, err := http.NewRequestWithContext(t.Context(), http.MethodGet, d.address+"/", nil)
		if err != nil {
			t.Fatal(err)
		}
		r.Host = host
		if status, _, _ := d.ask(t, r); status != http.StatusOK {
			t.Errorf("Host %s was answered with %d", host, status)
		}
	}
}

// TestHeaders: every answer forbids what the page does not need, and the cookie
// is out of reach of scripts and other sites.
func TestHeaders(t *testing.T) {
	d := newDesk(t)
	r, err := http.NewRequestWithContext(t.Context(), http.MethodGet, d.address+"/", nil)
	if err != nil {
		t.Fatal(err)
	}
	_, body, h := d.ask(t, r)
	for _, want := range []string{"default-src 'self'", "frame-ancestors 'none'", "object-src 'none'", "base-uri 'none'", "form-action 'self'"} {
		if !strings.Contains(h.Get("Content-Security-Policy"), want) {
			t.Errorf("the policy lacks %s: %s", want, h.Get("Content-Security-Policy"))
		}
	}
	if strings.Contains(h.Get("Content-Security-Policy"), "unsafe") {
		t.Error("the policy allows what is unsafe")
	}
	cookie := h.Get("Set-Cookie")
	for _, want := range []string{"HttpOnly", "SameSite=Strict", "Path=/"} {
		if !strings.Contains(cookie, want) {
			t.Errorf("the cookie lacks %s: %s", want, cookie)
		}
	}
	for name, want := range map[string]string{"X-Content-Type-Options": "nosniff", "X-Frame-Options": "DENY", "Cross-Origin-Resource-Policy": "same-origin", "Cache-Control": "no-store"} {
		if h.Get(name) != want {
			t.Errorf("%s is %q, want %q", name, h.Get(name), want)
		}
	}
	for _, inline := range []string{"<script>", "onclick=", "style=\"", "javascript:", "http://", "https://"} {
		if strings.Contains(body, inline) {
			t.Errorf("the page contains %s", inline)
		}
	}
}

// TestUploadsStayInside: no name of a file leads out of the upload's folder.
func TestUploadsStayInside(t *testing.T) {
	d := newDesk(t)
	for _, name := range []string{
		"../escaped.csv", "../../escaped.csv", "a/../../escaped.csv", "/tmp/escaped.csv", `..\escaped.csv`, `C:\escaped.csv`, "C:escaped.csv",
		"a/./b.csv", "a//b.csv", ".", "..", "a/", "x\x00y.csv", "x\ny.csv", strings.Repeat("a/", 30) + "b.csv", strings.Repeat("a", 2000),
	} {
		r := d.uploadOf(t, map[string]string{name: "t,x,y\n"})
		if status, body, _ := d.ask(t, r); status != http.StatusUnprocessableEntity && status != http.StatusBadRequest {
			t.Errorf("a file of the name %.40q was answered with %d: %.100s", name, status, body)
		}
	}
	err := filepath.WalkDir(filepath.Dir(d.o.Home.Dir), func(path string, e os.DirEntry, err error) error {
		if err == nil && strings.Contains(path, "escaped") {
			t.Errorf("a file escaped: %s", path)
		}
		return err
	})
	if err != nil {
		t.Error(err)
	}
	if n := len(d.sources.list()); n != 0 {
		t.Errorf("%d data sets were opened", n)
	}
}

// uploadOf is the form that the page sends.
func (d *desk) uploadOf(t *testing.T, files map[string]string) *http.Request {
	t.Helper()
	var b bytes.Buffer
	form := multipart.NewWriter(&b)
	for name, text := range files {
		head := textproto.MIMEHeader{"Content-Disposition": {`form-data; name="files"; filename="` + strings.ReplaceAll(name, `\`, `\\`) + `"`}, "Content-Type": {"text/csv"}}
		part, err := form.CreatePart(head)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := io.WriteString(part, text); err != nil {
			t.Fatal(err)
		}
	}
	if err := form.Close(); err != nil {
		t.Fatal(err)
	}
	r := d.request(t, http.MethodPost, "/upload", &b)
	r.Header.Set("Content-Type", form.FormDataContentType())
	r.Header.Set("Accept", "application/json")
	return r
}

// TestOversizedUploads are refused, and nothing of them stays.
func TestOversizedUploads(t *testing.T) {
	d := newDesk(t, func(o *Options) { o.MaxUpload = 1 << 20 })
	r := d.uploadOf(t, map[string]string{"large.csv": strings.Repeat("1,2,3\n", 300_000)})
	status, body, _ := d.ask(t, r)
	if status != http.StatusRequestEntityTooLarge || !strings.Contains(body, "larger than 1.05") {
		t.Errorf("an upload that is too large was answered with %d: %s", status, body)
	}
	left, err := filepath.Glob(filepath.Join(d.folder.dir, "upload-*"))
	if err != nil || len(left) != 0 {
		t.Errorf("left behind: %v, %v", left, err)
	}
	long := d.request(t, http.MethodPost, "/data", strings.NewReader("path="+strings.Repeat("x", maxForm+1)))
	if status, _, _ := d.ask(t, long); status != http.StatusRequestEntityTooLarge {
		t.Errorf("a form that is too large was answered with %d", status)
	}
}

// TestReleasesAreReachedByNameOnly: no address leads out of the folder of
// releases, nor to a file that the manifest does not list.
func TestReleasesAreReachedByNameOnly(t *testing.T) {
	d := newDesk(t)
	if err := os.MkdirAll(filepath.Join(d.o.Releases, "not-a-release"), 0o755); err != nil {
		t.Fatal(err)
	}
	for _, path := range []string{
		"/releases/..", "/releases/%2e%2e", "/releases/..%2fhome", "/releases/.hidden", "/releases/not-a-release", "/releases/not-a-release/package.zip",
		"/releases/%2e%2e/files/ledger.db", "/releases/x/files/..%2f..%2fsigning.pem", "/releases/x/files/%2fetc%2fpasswd", "/static/..%2fserver.go", "/static/%2e%2e%2fdoc.go",
		"/data/..%2f", "/jobs/..%2f..",
	} {
		r := d.request(t, http.MethodGet, "/", nil)
		u, err := url.Parse(d.address + path)
		if err != nil {
			t.Fatal(err)
		}
		r.URL = u
		if status, body, _ := d.ask(t, r); status < 300 || strings.Contains(body, "root:") || strings.Contains(body, "PRIVATE KEY") || strings.Contains(body, "package studio") {
			t.Errorf("GET %s was answered with %d: %.80s", path, status, body)
		}
	}
}

// TestOpenOnlyWithCertificate: an address that others reach is refused without
// TLS, and with it demands the token.
func TestOpenOnlyWithCertificate(t *testing.T) {
	home := curator.Home{Dir: filepath.Join(t.TempDir(), "home")}
	for _, addr := range []string{"0.0.0.0:0", ":0", "[::]:0", "192.0.2.1:0"} {
		s, err := New(Options{Home: home, Addr: addr})
		if err != nil {
			t.Fatal(err)
		}
		if _, err := s.Listen(); !errors.Is(err, ErrOpen) {
			t.Errorf("%s without a certificate: %v", addr, err)
		}
	}
	if _, err := os.Stat(filepath.Join(home.Dir, "studio")); err == nil {
		t.Error("a studio that was refused made a folder")
	}
}

// TestToken: with TLS on every address, only who brings the printed token gets
// in, once, and then by the cookie.
func TestToken(t *testing.T) {
	cert, key := certificate(t)
	d := newDesk(t, func(o *Options) { o.Addr, o.CertFile, o.KeyFile = "0.0.0.0:0", cert, key })
	d.client.Transport = &http.Transport{
		TLSClientConfig: &tls.Config{InsecureSkipVerify: true},
		DialContext: func(_ context.Context, network, _ string) (net.Conn, error) {
			return net.Dial(network, net.JoinHostPort("127.0.0.1", strconv.Itoa(d.door.port)))
		},
	}
	printed, err := url.Parse(d.address)
	if err != nil {
		t.Fatal(err)
	}
	if printed.Scheme != "https" || printed.Hostname() != "lab.example" || len(printed.Query().Get("token")) != 64 {
		t.Fatalf("printed address %s", d.address)
	}
	get := func(query string, change func(*http.Request)) (int, string, http.Header) {
		u := *printed
		u.Path, u.RawQuery = "/ledger", query
		r, err := http.NewRequestWithContext(t.Context(), http.MethodGet, u.String(), nil)
		if err != nil {
			t.Fatal(err)
		}
		if change != nil {
			change(r)
		}
		return d.ask(t, r)
	}
	for _, query := range []string{"", "token=", "token=wrong", "token=" + strings.Repeat("0", 64)} {
		if status, _, h := get(query, nil); status != http.StatusUnauthorized || h.Get("Set-Cookie") != "" {
			t.Errorf("%q was answered with %d, cookie %q", query, status, h.Get("Set-Cookie"))
		}
	}
	status, _, h := get(printed.RawQuery, nil)
	if status != http.StatusSeeOther || h.Get("Location") != "/ledger" || !strings.Contains(h.Get("Set-Cookie"), "Secure") {
		t.Fatalf("the token was answered with %d, %v", status, h)
	}
	cookie, err := http.ParseSetCookie(h.Get("Set-Cookie"))
	if err != nil {
		t.Fatal(err)
	}
	if status, _, _ := get("", func(r *http.Request) { r.AddCookie(cookie) }); status != http.StatusOK {
		t.Errorf("the cookie was answered with %d", status)
	}
	if status, _, _ := get("", func(r *http.Request) {
		r.AddCookie(cookie)
		r.Host = "other.example:" + printed.Port()
	}); status != http.StatusMisdirectedRequest {
		t.Errorf("a name that the certificate does not have was answered with %d", status)
	}
}

// certificate makes one for lab.example.
func certificate(t *testing.T) (certFile, keyFile string) {
	t.Helper()
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	template := &x509.Certificate{SerialNumber: big.NewInt(1), DNSNames: []string{"lab.example"}, NotBefore: time.Now().Add(-time.Hour), NotAfter: time.Now().Add(time.Hour)}
	der, err := x509.CreateCertificate(rand.Reader, template, template, &key.PublicKey, key)
	if err != nil {
		t.Fatal(err)
	}
	text, err := x509.MarshalPKCS8PrivateKey(key)
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	certFile, keyFile = filepath.Join(dir, "cert.pem"), filepath.Join(dir, "key.pem")
	for file, block := range map[string]*pem.Block{certFile: {Type: "CERTIFICATE", Bytes: der}, keyFile: {Type: "PRIVATE KEY", Bytes: text}} {
		if err := os.WriteFile(file, pem.EncodeToMemory(block), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return certFile, keyFile
}

// TestNothingIsLogged: names of files and of people do not reach the log, also
// where something fails.
func TestTheLogNamesNobody(t *testing.T) {
	var log syncBuffer
	d := newDesk(t, func(o *Options) { o.Log = log.logger() })
	r := d.uploadOf(t, map[string]string{"Quokka_2024-05-01.csv": "participant,time,x\nWombat,1,2\n"})
	d.ask(t, r)
	d.ask(t, d.request(t, http.MethodPost, "/data", strings.NewReader("path=/nowhere/Quokka")))
	d.ask(t, d.request(t, http.MethodGet, "/data/Quokka", nil))
	d.ask(t, d.request(t, http.MethodGet, "/releases/Quokka/files/Quokka", nil))
	d.Server.handle(func(http.ResponseWriter, *http.Request) error {
		return &problem{Status: 500, What: "Quokka went wrong"}
	})(discard{}, d.request(t, http.MethodGet, "/Quokka", nil))
	text := log.String()
	if !strings.Contains(text, "a request failed") {
		t.Errorf("a failure was not logged: %q", text)
	}
	for _, secret := range []string{"Quokka", "Wombat", "2024-05"} {
		if strings.Contains(text, secret) {
			t.Errorf("%q stands in the log: %s", secret, text)
		}
	}
}
