package studio

import (
	"crypto/subtle"
	"crypto/tls"
	"crypto/x509"
	"fmt"
	"net"
	"net/http"
	"net/url"
	"path"
	"strconv"
	"strings"
)

// door decides who may ask for what.
//
//   - Every request must name an address of this page in Host. A foreign name
//     that was made to point here (DNS rebinding) is refused.
//   - What another site's page asks for is refused, whatever it is: by
//     Sec-Fetch-Site, and by Origin where there is one.
//   - What changes something must come with this page's Origin and with the
//     cookie that this page has set (SameSite=Strict, HttpOnly).
//   - With token, nothing is shown to those who do not bring the secret of the
//     printed address once.
type door struct {
	port        int
	certificate *tls.Certificate // nil = plain HTTP, on a loopback address only
	token       bool
	cookie      string // the page's own
	key         string // of the printed address
}

// address is what is printed.
func (d *door) address(addr *net.TCPAddr) string {
	host := "127.0.0.1"
	if !addr.IP.IsUnspecified() && addr.IP != nil {
		host = addr.IP.String()
	} else if leaf := d.leaf(); leaf != nil && len(leaf.DNSNames) > 0 {
		host = leaf.DNSNames[0]
	}
	u := url.URL{Scheme: d.scheme(), Host: net.JoinHostPort(host, strconv.Itoa(d.port)), Path: "/"}
	if d.token {
		u.RawQuery = url.Values{"token": {d.key}}.Encode()
	}
	return u.String()
}

func (d *door) scheme() string {
	if d.certificate != nil {
		return "https"
	}
	return "http"
}

func (d *door) leaf() *x509.Certificate {
	if d.certificate == nil {
		return nil
	}
	return d.certificate.Leaf
}

// cookieName differs by port: cookies do not.
func (d *door) cookieName() string { return fmt.Sprintf("gazeward_studio_%d", d.port) }

// knows reports whether host is a name of this page.
func (d *door) knows(host string) bool {
	name, port, err := net.SplitHostPort(host)
	if err != nil {
		name, port = strings.Trim(host, "[]"), map[string]string{"http": "80", "https": "443"}[d.scheme()]
	}
	if port != strconv.Itoa(d.port) {
		return false
	}
	if leaf := d.leaf(); leaf != nil {
		return leaf.VerifyHostname(name) == nil
	}
	return name == "127.0.0.1" || name == "localhost" || name == "::1"
}

// policy lets the page load what it brings along, and nothing else.
const policy = "default-src 'self'; img-src 'self' blob:; object-src 'none'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'"

// guard is what every request passes first.
func (d *door) guard(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		h := w.Header()
		h.Set("Content-Security-Policy", policy)
		h.Set("X-Content-Type-Options", "nosniff")
		h.Set("X-Frame-Options", "DENY")
		h.Set("Referrer-Policy", "same-origin") // with no-referrer, forms would be sent with the Origin null
		h.Set("Cross-Origin-Opener-Policy", "same-origin")
		h.Set("Cross-Origin-Resource-Policy", "same-origin")
		h.Set("Permissions-Policy", "camera=(), microphone=(), geolocation=()")
		h.Set("Cache-Control", "no-store")
		if status, why := d.refuses(r); why != "" {
			http.Error(w, why, status)
			return
		}
		if d.token && !d.has(r) {
			d.admit(w, r)
			return
		}
		if !d.has(r) {
			d.mark(w)
		}
		next.ServeHTTP(w, r)
	})
}

// refuses says why a request is not answered.
func (d *door) refuses(r *http.Request) (status int, why string) {
	origin := r.Header.Get("Origin")
	switch {
	case !d.knows(r.Host):
		return http.StatusMisdirectedRequest, "Refused: this page is not at home under that name. Open the address that gazeward studio printed."
	case r.Header.Get("Sec-Fetch-Site") == "cross-site" || r.Header.Get("Sec-Fetch-Site") == "same-site":
		return http.StatusForbidden, "Refused: another site's page asked for this. Type the address into the browser yourself."
	case origin != "" && origin != d.scheme()+"://"+r.Host:
		return http.StatusForbidden, "Refused: the request comes from another site's page."
	}
	switch r.Method {
	case http.MethodGet, http.MethodHead:
		return 0, ""
	case http.MethodPost:
	default:
		return http.StatusMethodNotAllowed, "Refused: only GET and POST are known here."
	}
	switch {
	case origin == "":
		return http.StatusForbidden, "Refused: the request does not say which page it comes from (Origin)."
	case !d.has(r):
		return http.StatusForbidden, "Refused: the request lacks the cookie of this page. Reload the page and try again: the program was restarted, or cookies are switched off."
	}
	return 0, ""
}

// has reports whether the request brings the page's cookie.
func (d *door) has(r *http.Request) bool {
	c, err := r.Cookie(d.cookieName())
	return err == nil && subtle.ConstantTimeCompare([]byte(c.Value), []byte(d.cookie)) == 1
}

func (d *door) mark(w http.ResponseWriter) {
	http.SetCookie(w, &http.Cookie{
		Name: d.cookieName(), Value: d.cookie, Path: "/", HttpOnly: true, Secure: d.certificate != nil, SameSite: http.SameSiteStrictMode,
	})
}

// admit lets in who brings the token, and takes it out of the address.
func (d *door) admit(w http.ResponseWriter, r *http.Request) {
	q := r.URL.Query()
	if subtle.ConstantTimeCompare([]byte(q.Get("token")), []byte(d.key)) != 1 {
		http.Error(w, "Refused: open the whole address that gazeward studio printed, with its token.", http.StatusUnauthorized)
		return
	}
	d.mark(w)
	q.Del("token")
	http.Redirect(w, r, (&url.URL{Path: path.Clean("/" + r.URL.Path), RawQuery: q.Encode()}).String(), http.StatusSeeOther)
}
