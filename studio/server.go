package studio

import (
	"context"
	"crypto/tls"
	"encoding/hex"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"path/filepath"
	"sync"
	"time"

	"github.com/gazeward/gazeward/curator"
	"github.com/gazeward/gazeward/noise"
)

// DefaultAddr is where the page is served if nothing else is asked for.
const DefaultAddr = "127.0.0.1:8420"

// DefaultMaxUpload is how many bytes one upload may have.
const DefaultMaxUpload = 16 << 30

// Options say where the page is served and what it works on.
type Options struct {
	Home     curator.Home // required: ledger and keys
	Releases string       // folder in which releases are kept; default releases in the home
	Addr     string       // default DefaultAddr
	// CertFile and KeyFile hold a certificate and its key in PEM; required
	// where Addr is not a loopback address.
	CertFile, KeyFile string
	// Token demands the secret of the printed address for reading too; always
	// so where Addr is not a loopback address.
	Token     bool
	MaxUpload int64        // bytes of one upload; default DefaultMaxUpload
	Audit     Auditor      // attacks mechanisms; nil = the page of audits says that there is none
	Program   string       // name and version, for the foot of the page
	Log       *slog.Logger // default: nothing is logged
}

// Server is a running studio.
type Server struct {
	o        Options
	door     door
	folder   *folder
	handler  http.Handler
	pages    *pages
	sources  sources
	jobs     jobs
	previews previews
	audits   audits
	asked    confirmations
	made     sync.Map // release → source
	promises sync.Map // key of a choice → promise
	listener net.Listener
	people   int // of the demo
	once     sync.Once
}

// New prepares a studio: Listen, then Serve, then Close.
func New(o Options) (*Server, error) {
	if o.Home.Dir == "" {
		return nil, errors.New("studio: a home for ledger and keys is required")
	}
	if o.Addr == "" {
		o.Addr = DefaultAddr
	}
	if o.Releases == "" {
		o.Releases = filepath.Join(o.Home.Dir, "releases")
	}
	if o.MaxUpload == 0 {
		o.MaxUpload = DefaultMaxUpload
	}
	if o.Log == nil {
		o.Log = slog.New(slog.DiscardHandler)
	}
	pages, err := newPages()
	if err != nil {
		return nil, err
	}
	s := &Server{o: o, pages: pages, people: demoPeople}
	s.jobs.all, s.sources.all = map[string]*job{}, map[string]*source{}
	return s, nil
}

// Listen opens the address and the folder of this run, and returns the address
// to visit.
func (s *Server) Listen() (string, error) {
	addr, err := net.ResolveTCPAddr("tcp", s.o.Addr)
	if err != nil {
		return "", fmt.Errorf("studio: the address must be HOST:PORT, got %q: %w", s.o.Addr, err)
	}
	d := door{token: s.o.Token, cookie: secret(), key: secret()}
	if s.o.CertFile != "" || s.o.KeyFile != "" {
		certificate, err := tls.LoadX509KeyPair(s.o.CertFile, s.o.KeyFile)
		if err != nil {
			return "", fmt.Errorf("studio: the certificate cannot be used: %w", err)
		}
		d.certificate = &certificate
	}
	if !addr.IP.IsLoopback() {
		if d.certificate == nil {
			return "", ErrOpen
		}
		d.token = true
	}
	if s.listener, err = net.ListenTCP("tcp", addr); err != nil {
		return "", fmt.Errorf("studio: the address cannot be used: %w", err)
	}
	if s.folder, err = newFolder(s.o.Home.Dir); err != nil {
		return "", errors.Join(err, s.listener.Close())
	}
	d.port = s.listener.Addr().(*net.TCPAddr).Port
	s.door = d
	s.handler = s.door.guard(s.routes())
	return d.address(addr), nil
}

// ErrOpen is returned where the page would be open to a network without
// protection.
var ErrOpen = errors.New("studio: an address other than this machine's own needs a certificate and its key: the page shows raw recordings")

// Serve answers requests until the context ends.
func (s *Server) Serve(ctx context.Context) error {
	if s.listener == nil {
		return errors.New("studio: Listen comes before Serve")
	}
	ctx, stop := context.WithCancel(ctx)
	defer stop()
	server := &http.Server{
		Handler: s.handler, ReadHeaderTimeout: 10 * time.Second, IdleTimeout: 2 * time.Minute, MaxHeaderBytes: 64 << 10,
		ErrorLog:    slog.NewLogLogger(slog.DiscardHandler, slog.LevelError), // its lines quote requests
		BaseContext: func(net.Listener) context.Context { return ctx },
	}
	go s.folder.beat(ctx)
	go s.previews.warm()
	go func() {
		<-ctx.Done()
		s.jobs.stop()
		_ = server.Close()
	}()
	l := s.listener
	if s.door.certificate != nil {
		l = tls.NewListener(l, &tls.Config{Certificates: []tls.Certificate{*s.door.certificate}, MinVersion: tls.VersionTLS12, NextProtos: []string{"h2", "http/1.1"}})
	}
	if err := server.Serve(l); !errors.Is(err, http.ErrServerClosed) && !errors.Is(err, net.ErrClosed) {
		return fmt.Errorf("studio: %w", err)
	}
	return nil
}

// Close stops all work and removes what was uploaded.
func (s *Server) Close() error {
	var err error
	s.once.Do(func() {
		s.jobs.stop()
		if s.listener != nil {
			_ = s.listener.Close()
		}
		if s.folder != nil {
			err = s.folder.remove()
		}
	})
	return err
}

// secret is 256 bits that nobody can guess.
func secret() string {
	b := make([]byte, 32)
	_, _ = noise.Secure().Read(b)
	return hex.EncodeToString(b)
}

// name is a short random name for a data set or a job: it says nothing.
func name() string { return secret()[:10] }
