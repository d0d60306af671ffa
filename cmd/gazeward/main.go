// Gazeward releases eye-tracking data under differential privacy: private
// heatmaps and statistics of areas of interest, with a budget that cannot be
// overspent and a manifest that others can verify.
//
// Run "gazeward help" for the verbs. Results go to stdout (as JSON with
// --json), words and progress to stderr. Exit codes: 0 done, 1 verify or audit
// says no, 2 usage, 3 input refused, 4 budget exhausted.
package main

import (
	"context"
	"errors"
	"os"
	"os/signal"
	"strings"

	"github.com/spf13/cobra"
)

func main() { os.Exit(run(os.Args[1:])) }

// run is the program: it returns the exit code.
func run(args []string) int {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	context.AfterFunc(ctx, stop) // a second interruption ends the program at once
	ui := newUI(os.Stdout, os.Stderr)
	root := rootCommand(ui)
	root.SetArgs(args)
	root.SetOut(os.Stdout)
	root.SetErr(os.Stderr)
	return ui.exit(root.ExecuteContext(ctx))
}

func rootCommand(ui *ui) *cobra.Command {
	root := &cobra.Command{
		Use:           "gazeward",
		Short:         "Release what is useful in eye-tracking recordings, under differential privacy",
		Long:          "gazeward releases what is useful in eye-tracking recordings while the people in them\nstay protected by differential privacy. Start with: gazeward demo",
		SilenceUsage:  true,
		SilenceErrors: true,
		Version:       version(),
		Args: func(_ *cobra.Command, args []string) error {
			if len(args) > 0 {
				return usage("unknown verb %q", args[0])
			}
			return nil
		},
		Run: func(c *cobra.Command, _ []string) { _ = c.Help() },
	}
	root.SetFlagErrorFunc(func(_ *cobra.Command, err error) error { return &usageError{err} })
	root.PersistentFlags().BoolVar(&ui.json, "json", false, "print the result as JSON on stdout")
	root.PersistentFlags().BoolVarP(&ui.quiet, "quiet", "q", false, "no progress, no notes on stderr")
	root.AddCommand(
		demoCommand(ui), inspectCommand(ui), planCommand(ui), protectCommand(ui), ledgerCommand(ui),
		verifyCommand(ui), exportCommand(ui), experimentCommand(ui), datasetCommand(ui), convertCommand(ui), featuresCommand(ui),
		auditCommand(ui), labelCommand(ui), evaluateCommand(ui), studioCommand(ui), leakageCommand(ui),
	)
	root.AddCommand(synthesisCommands(ui)...)
	return root
}

// noArguments and oneArgument are cobra's checks with our exit code.
func noArguments(_ *cobra.Command, args []string) error {
	if len(args) > 0 {
		return usage("unexpected argument %q", args[0])
	}
	return nil
}

// oneOfItsVerbs refuses what is none of a verb's own verbs, and lists those.
func oneOfItsVerbs(c *cobra.Command, args []string) error {
	if len(args) == 0 {
		return nil
	}
	var names []string
	for _, v := range c.Commands() {
		if v.IsAvailableCommand() && v.Name() != "help" {
			names = append(names, v.Name())
		}
	}
	return usage("there is no %s %q: want one of %s", c.Name(), args[0], strings.Join(names, ", "))
}

func oneArgument(what string) cobra.PositionalArgs {
	return func(_ *cobra.Command, args []string) error {
		if len(args) != 1 {
			return usage("want exactly one argument: %s, got %d", what, len(args))
		}
		return nil
	}
}

var errSaysNo = errors.New("the answer is no")
