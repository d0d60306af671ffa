package main

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"math"
	"os/exec"
	"strconv"
	"strings"
	"sync/atomic"
	"time"

	"github.com/gazeward/gazeward/audit"
)

// foreignBatch is how many outputs a program is asked for at a time.
const foreignBatch = 4096

// foreignSample lets a program draw its outputs. The protocol is lines of
// text: to "A N" or "B N" it answers N lines of one number each, drawn
// independently on the first or on the second of two neighbouring inputs of
// its own choice. It ends when its stdin is closed. A program that says nothing
// for as long as patience, or more than it was asked for, is stopped.
func foreignSample(ctx context.Context, argv []string, trials int, patience time.Duration) (audit.Sample, error) {
	if len(argv) == 0 {
		return audit.Sample{}, usage("--program is empty")
	}
	p, err := startProgram(ctx, argv, patience)
	if err != nil {
		return audit.Sample{}, err
	}
	defer p.stop()
	var s audit.Sample
	for len(s.B) < trials && err == nil {
		n := min(foreignBatch, trials-len(s.B))
		if s.A, err = p.ask("A", n, s.A); err == nil {
			s.B, err = p.ask("B", n, s.B)
		}
	}
	if err = p.end(err); ctx.Err() != nil {
		err = ctx.Err() // interrupted
	}
	return s, err
}

// program is a running program that is asked for outputs.
type program struct {
	cmd    *exec.Cmd
	in     io.WriteCloser
	out    *bufio.Scanner
	errors bytes.Buffer

	stop     func() // kills it and closes its pipes, which children of its own may hold open
	patience time.Duration
	watch    *time.Timer // stops it, unless it says something
	silent   atomic.Bool // it was stopped for that
}

func startProgram(ctx context.Context, argv []string, patience time.Duration) (*program, error) {
	ctx, cancel := context.WithCancel(ctx)
	p := &program{cmd: exec.CommandContext(ctx, argv[0], argv[1:]...), patience: patience}
	p.cmd.WaitDelay = time.Second
	p.cmd.Stderr = &limited{to: &p.errors, left: 4096}
	in, err := p.cmd.StdinPipe()
	if err != nil {
		cancel()
		return nil, err
	}
	out, err := p.cmd.StdoutPipe()
	if err != nil {
		cancel()
		return nil, err
	}
	p.in, p.out = in, bufio.NewScanner(out)
	if err := p.cmd.Start(); err != nil {
		cancel()
		return nil, &hinted{fmt.Errorf("audit: the program does not start: %w", err), "give the program's path and its arguments in one quoted text"}
	}
	context.AfterFunc(ctx, func() { _, _ = in.Close(), out.Close() })
	p.watch = time.AfterFunc(patience, func() {
		p.silent.Store(true)
		cancel()
	})
	p.stop = func() {
		p.watch.Stop()
		cancel()
	}
	return p, nil
}

// ask appends n outputs of a side. The answer is read while the question may
// still be on its way, so that no buffer can fill up on both sides.
func (p *program) ask(side string, n int, dst []float64) ([]float64, error) {
	if _, err := fmt.Fprintf(p.in, "%s %d\n", side, n); err != nil {
		return dst, fmt.Errorf("audit: the program stopped reading: %w", err)
	}
	for range n {
		if !p.out.Scan() {
			return dst, errors.Join(errors.New("audit: the program ended before it had answered"), p.out.Err())
		}
		p.watch.Reset(p.patience)
		v, err := strconv.ParseFloat(strings.TrimSpace(p.out.Text()), 64)
		if err != nil || math.IsNaN(v) {
			return dst, fmt.Errorf("audit: the program must answer one number per line, got %.40q", p.out.Text())
		}
		dst = append(dst, v)
	}
	return dst, nil
}

// end closes the program's input and waits for it; what it wrote to stderr is
// part of the error. Answers that were not asked for mean that those before
// them stood on the wrong side.
func (p *program) end(err error) error {
	err = errors.Join(err, p.in.Close())
	for err == nil && p.out.Scan() {
		if text := strings.TrimSpace(p.out.Text()); text != "" {
			err = fmt.Errorf("audit: the program answers more than it was asked for, the last with %.40q", text)
		}
	}
	if err != nil {
		p.stop()
	}
	wait := p.cmd.Wait()
	switch {
	case p.silent.Load():
		err = fmt.Errorf("audit: the program said nothing for %v", p.patience)
	case wait != nil && err == nil:
		err = fmt.Errorf("audit: the program failed: %w", wait)
	}
	if err == nil {
		return nil
	}
	if text := strings.TrimSpace(p.errors.String()); text != "" {
		err = fmt.Errorf("%w; it says: %s", err, text)
	}
	return &hinted{err, "the program answers each line \"A N\" or \"B N\" on stdin with N lines of one number, and ends with its input; flush after each answer"}
}

// limited keeps the beginning of what is written.
type limited struct {
	to   *bytes.Buffer
	left int
}

func (l *limited) Write(b []byte) (int, error) {
	k := min(len(b), l.left)
	l.left -= k
	l.to.Write(b[:k])
	return len(b), nil
}
