package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"os"
	"os/exec"
	"os/signal"
	"runtime"
	"slices"
	"sync/atomic"
	"syscall"

	"github.com/spf13/cobra"

	"github.com/gazeward/gazeward/experiment"
	"github.com/gazeward/gazeward/mechanism"
	"github.com/gazeward/gazeward/noise"
	"github.com/gazeward/gazeward/studio"
)

func studioCommand(ui *ui) *cobra.Command {
	var o studio.Options
	var home homeFlags
	var open bool
	c := &cobra.Command{
		Use:   "studio",
		Short: "A page for the browser: see what privacy costs before you spend it",
		Long: "studio serves a page on this machine and prints its address: bring recordings, see on simulated\n" +
			"people what a promise costs, spend once, download a package that others can verify.\n" +
			"It is open to this machine only, unless a certificate and its key are given; then the printed\n" +
			"address holds a token that every reader needs.",
		Example: "  gazeward studio --open\n  gazeward studio --addr 10.0.0.5:8420 --tls-cert cert.pem --tls-key key.pem",
		Args:    noArguments,
	}
	f := c.Flags()
	home.add(c)
	f.StringVar(&o.Addr, "addr", studio.DefaultAddr, "HOST:PORT to serve on; port 0 = any")
	f.BoolVar(&open, "open", false, "open the page in the browser")
	f.StringVar(&o.Releases, "releases", "", "folder for releases; default releases in the curator's home")
	f.StringVar(&o.CertFile, "tls-cert", "", "certificate (PEM); required to serve on an address that others reach")
	f.StringVar(&o.KeyFile, "tls-key", "", "its key (PEM)")
	f.BoolVar(&o.Token, "token", false, "demand the printed token on this machine too, where it has several users")
	f.Int64Var(&o.MaxUpload, "max-upload", studio.DefaultMaxUpload, "bytes that one upload may have")
	c.RunE = func(c *cobra.Command, _ []string) error {
		var err error
		if o.Home, err = home.home(); err != nil {
			return err
		}
		if (o.CertFile == "") != (o.KeyFile == "") {
			return usage("--tls-cert and --tls-key belong together")
		}
		if o.MaxUpload <= 0 {
			return usage("--max-upload must be positive")
		}
		o.Program, o.Audit = "gazeward "+version(), auditInStudio
		o.Log = slog.New(slog.NewTextHandler(ui.err, nil))
		ctx, stop := signal.NotifyContext(c.Context(), syscall.SIGTERM, syscall.SIGHUP) // before there is anything to remove
		defer stop()
		s, err := studio.New(o)
		if err != nil {
			return err
		}
		address, err := s.Listen()
		if errors.Is(err, studio.ErrOpen) {
			return &usageError{&hinted{err, "give --tls-cert and --tls-key, or serve on 127.0.0.1 and reach it through ssh -L"}}
		}
		if err != nil {
			return err
		}
		defer s.Close()
		if err := ui.result(map[string]string{"address": address}, func(w io.Writer) { fmt.Fprintln(w, address) }); err != nil {
			return err
		}
		ui.note("Stop it with Ctrl-C; what was uploaded is removed then.")
		if open {
			if err := browse(address); err != nil {
				ui.note("no browser could be opened: visit the address yourself")
			}
		}
		return errors.Join(s.Serve(ctx), s.Close())
	}
	return c
}

// browse opens an address as the system does it.
func browse(address string) error {
	command := map[string][]string{"darwin": {"open"}, "windows": {"rundll32", "url.dll,FileProtocolHandler"}}[runtime.GOOS]
	if command == nil {
		command = []string{"xdg-open"}
	}
	run := exec.Command(command[0], append(command[1:], address)...)
	run.Stderr, run.Stdout = os.Stderr, nil
	if err := run.Start(); err != nil {
		return err
	}
	go func() { _ = run.Wait() }()
	return nil
}

// auditInStudio makes the table of gazeward audit for the studio's page. The
// audits know no progress within a mechanism, so that the draws are counted.
func auditInStudio(ctx context.Context, o studio.AuditOrder) (t studio.AuditTable, err error) {
	watch := &drawWatch{order: o}
	e := experiment.Audits{Trials: o.Trials, Seed: o.Seed, Progress: watch.row}
	for _, s := range o.Specs {
		e.Specs = append(e.Specs, watch.over(s))
	}
	watch.rows = e.Total()
	rows, err := e.Run(ctx)
	if err != nil {
		return t, err
	}
	for _, r := range rows {
		t.Rows = append(t.Rows, studio.AuditRow{
			Result: r.Result, Calibration: r.Calibration, Fault: r.Fault, Composed: r.Composed, Why: r.Why, Parameters: r.Parameters, Layers: studio.AuditLayers(r.Layers),
		})
	}
	if o.Faults {
		found, err := experiment.AuditMutants(ctx, o.Trials, noise.Seeded(o.Seed))
		if err != nil {
			return t, err
		}
		faults := studio.AuditFaults(found)
		t.Faults = &faults
	}
	return t, ctx.Err()
}

// drawWatch counts the draws of mechanisms under audit.
type drawWatch struct {
	order studio.AuditOrder
	rows  int
	done  atomic.Int64 // rows
	drawn atomic.Int64 // in the row at work
}

// row takes note of a row that is done.
func (w *drawWatch) row(done int) {
	w.done.Store(int64(done))
	w.drawn.Store(0)
	w.tell()
}

// tell guesses the percentage: a row takes its draws on both sides and about
// half as many for its other layers.
func (w *drawWatch) tell() {
	if w.order.Progress == nil || w.rows == 0 {
		return
	}
	within := min(0.99, float64(w.drawn.Load())/(3*float64(w.order.Trials)))
	w.order.Progress(int(100 * (float64(w.done.Load()) + within) / float64(w.rows)))
}

// count is called for every draw.
func (w *drawWatch) count() {
	if w.drawn.Add(1)%4096 == 0 {
		w.tell()
	}
}

// over is a Spec whose draws are watched.
func (w *drawWatch) over(s mechanism.Spec) mechanism.Spec {
	plain := s.Suite
	s.Suite.Prepare = func(m mechanism.Mechanism) (mechanism.Runner, error) {
		run, err := plain.Runner(m)
		return func(input any, src *noise.Source) (mechanism.Output, error) {
			w.count()
			return run(input, src)
		}, err
	}
	s.Suite.Faults = slices.Clone(plain.Faults)
	for i, f := range plain.Faults {
		s.Suite.Faults[i].Prepare = func() (func(bool, *noise.Source) (float64, error), error) {
			draw, err := f.Prepare()
			return func(side bool, src *noise.Source) (float64, error) {
				w.count()
				return draw(side, src)
			}, err
		}
	}
	return s
}
