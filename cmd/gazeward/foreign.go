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

	"github.com/gazeward/gazeward/audit"
)

// foreignBatch is how many outputs a program is asked for at a time.
const foreignBatch = 4096

// foreignSample lets a program draw its outputs. The protocol is lines of
// text: to "A N" or "B N" it answers N lines of one number each, drawn
// independently on the first or on the second of two neighbouring inputs of
// its own choice. It ends when its stdin is closed.
func foreignSample(ctx context.Context, argv []string, trials int) (audit.Sample, error) {
	if len(argv) == 0 {
		return audit.Sample{}, usage("--program is empty")
	}
	ctx, stop := context.WithCancel(ctx)
	defer stop()
	p, err := startProgram(ctx, argv)
	if err != nil {
		return audit.Sample{}, err
	}
	var s audit.Sample
	for len(s.B) < trials && err == nil {
		n := min(foreignBatch, trials-len(s.B))
		if s.A, err = p.ask("A", n, s.A); err == nil {
			s.B, err = p.ask("B", n, s.B)
		}
	}
	if err != nil {
		stop()
	}
	return s, p.end(err)
}

// program is a running program that is asked for outputs.
type program struct {
	cmd    *exec.Cmd
	in     io.WriteCloser
	out    *bufio.Scanner
	errors bytes.Buffer
}

func startProgram(ctx context.Context, argv []string) (*program, error) {
	p := &program{cmd: exec.CommandContext(ctx, argv[0], argv[1:]...)}
	p.cmd.Stderr = &limited{to: &p.errors, left: 4096}
	var err error
	if p.in, err = p.cmd.StdinPipe(); err != nil {
		return nil, err
	}
	out, err := p.cmd.StdoutPipe()
	if err != nil {
		return nil, err
	}
	p.out = bufio.NewScanner(out)
	if err := p.cmd.Start(); err != nil {
		return nil, &hinted{fmt.Errorf("audit: the program does not start: %w", err), "give the program's path and its arguments in one quoted text"}
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
		v, err := strconv.ParseFloat(strings.TrimSpace(p.out.Text()), 64)
		if err != nil || math.IsNaN(v) {
			return dst, fmt.Errorf("audit: the program must answer one number per line, got %.40q", p.out.Text())
		}
		dst = append(dst, v)
	}
	return dst, nil
}

// end closes the program's input and waits for it; what it wrote to stderr is
// part of the error.
func (p *program) end(err error) error {
	err = errors.Join(err, p.in.Close())
	if wait := p.cmd.Wait(); wait != nil && err == nil {
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
