//go:build ignore
// +build ignore

package main

import (
	_context "context"
	_flag "flag"
	_fmt "fmt"
	_io "io"
	_log "log"
	_os "os"
	_signal "os/signal"
	_filepath "path/filepath"
	_sort "sort"
	_strconv "strconv"
	_strings "strings"
	_syscall "syscall"
	_tabwriter "text/tabwriter"
	_time "time"
	build_mageimport "github.com/grafana/grafana-plugin-sdk-go/build"
	
)

func main() {
	// Use local types and functions in order to avoid name conflicts with additional magefiles.
	type arguments struct {
		Verbose       bool          // print out log statements
		List          bool          // print out a list of targets
		Help          bool          // print out help for a specific target
		Timeout       _time.Duration // set a timeout to running the targets
		Args          []string      // args contain the non-flag command-line arguments
	}

	parseBool := func(env string) bool {
		val := _os.Getenv(env)
		if val == "" {
			return false
		}		
		b, err := _strconv.ParseBool(val)
		if err != nil {
			_log.Printf("warning: environment variable %s is not a valid bool value: %v", env, val)
			return false
		}
		return b
	}

	parseDuration := func(env string) _time.Duration {
		val := _os.Getenv(env)
		if val == "" {
			return 0
		}		
		d, err := _time.ParseDuration(val)
		if err != nil {
			_log.Printf("warning: environment variable %s is not a valid duration value: %v", env, val)
			return 0
		}
		return d
	}
	args := arguments{}
	fs := _flag.FlagSet{}
	fs.SetOutput(_os.Stdout)

	// default flag set with ExitOnError and auto generated PrintDefaults should be sufficient
	fs.BoolVar(&args.Verbose, "v", parseBool("MAGEFILE_VERBOSE"), "show verbose output when running targets")
	fs.BoolVar(&args.List, "l", parseBool("MAGEFILE_LIST"), "list targets for this binary")
	fs.BoolVar(&args.Help, "h", parseBool("MAGEFILE_HELP"), "print out help for a specific target")
	fs.DurationVar(&args.Timeout, "t", parseDuration("MAGEFILE_TIMEOUT"), "timeout in duration parsable format (e.g. 5m30s)")
	fs.Usage = func() {
		_fmt.Fprintf(_os.Stdout, `
%s [options] [target]

Commands:
  -l    list targets in this binary
  -h    show this help

Options:
  -h    show description of a target
  -t <string>
        timeout in duration parsable format (e.g. 5m30s)
  -v    show verbose output when running targets
 `[1:], _filepath.Base(_os.Args[0]))
	}
	if err := fs.Parse(_os.Args[1:]); err != nil {
		// flag will have printed out an error already.
		return
	}
	args.Args = fs.Args()
	if args.Help && len(args.Args) == 0 {
		fs.Usage()
		return
	}
		
	var printName = func(str string) string {
	// color is ANSI color type
	type color int

	// If you add/change/remove any items in this constant,
	// you will need to run "stringer -type=color" in this directory again.
	// NOTE: Please keep the list in an alphabetical order.
	const (
		black color = iota
		red
		green
		yellow
		blue
		magenta
		cyan
		white
		brightblack
		brightred
		brightgreen
		brightyellow
		brightblue
		brightmagenta
		brightcyan
		brightwhite
	)

	// AnsiColor are ANSI color codes for supported terminal colors.
	var ansiColor = map[color]string{
		black:         "\u001b[30m",
		red:           "\u001b[31m",
		green:         "\u001b[32m",
		yellow:        "\u001b[33m",
		blue:          "\u001b[34m",
		magenta:       "\u001b[35m",
		cyan:          "\u001b[36m",
		white:         "\u001b[37m",
		brightblack:   "\u001b[30;1m",
		brightred:     "\u001b[31;1m",
		brightgreen:   "\u001b[32;1m",
		brightyellow:  "\u001b[33;1m",
		brightblue:    "\u001b[34;1m",
		brightmagenta: "\u001b[35;1m",
		brightcyan:    "\u001b[36;1m",
		brightwhite:   "\u001b[37;1m",
	}

	const colorName = "blackredgreenyellowbluemagentacyanwhitebrightblackbrightredbrightgreenbrightyellowbrightbluebrightmagentabrightcyanbrightwhite"

	var colorIndex = [...]uint8{0, 5, 8, 13, 19, 23, 30, 34, 39, 50, 59, 70, 82, 92, 105, 115, 126}

	colorToLowerString := func(i color) string {
		if i < 0 || i >= color(len(colorIndex)-1) {
			return "color(" + _strconv.FormatInt(int64(i), 10) + ")"
		}
		return colorName[colorIndex[i]:colorIndex[i+1]]
	}

	// ansiColorReset is an ANSI color code to reset the terminal color.
	const ansiColorReset = "\033[0m"

	// defaultTargetAnsiColor is a default ANSI color for colorizing targets.
	// It is set to Cyan as an arbitrary color, because it has a neutral meaning
	var defaultTargetAnsiColor = ansiColor[cyan]

	getAnsiColor := func(color string) (string, bool) {
		colorLower := _strings.ToLower(color)
		for k, v := range ansiColor {
			colorConstLower := colorToLowerString(k)
			if colorConstLower == colorLower {
				return v, true
			}
		}
		return "", false
	}

	// Terminals which  don't support color:
	//
	//	TERM=vt100
	//	TERM=cygwin
	//	TERM=xterm-mono
	var noColorTerms = map[string]bool{
		"vt100":      false,
		"cygwin":     false,
		"xterm-mono": false,
	}

	// terminalSupportsColor checks if the current console supports color output
	//
	// Supported:
	//
	//	linux, mac, or windows's ConEmu, Cmder, putty, git-bash.exe, pwsh.exe
	//
	// Not supported:
	//
	//	windows cmd.exe, powerShell.exe
	terminalSupportsColor := func() bool {
		envTerm := _os.Getenv("TERM")
		if _, ok := noColorTerms[envTerm]; ok {
			return false
		}
		return true
	}

	// enableColor reports whether the user has requested to enable a color output.
	enableColor := func() bool {
		b, _ := _strconv.ParseBool(_os.Getenv("MAGEFILE_ENABLE_COLOR"))
		return b
	}

	// targetColor returns the ANSI color which should be used to colorize targets.
	targetColor := func() string {
		s, exists := _os.LookupEnv("MAGEFILE_TARGET_COLOR")
		if exists {
			if c, ok := getAnsiColor(s); ok {
				return c
			}
		}
		return defaultTargetAnsiColor
	}

	// store the color terminal variables, so that the detection isn't repeated for each target
	var enableColorValue = enableColor() && terminalSupportsColor()
	var targetColorValue = targetColor()

	if enableColorValue {
		return _fmt.Sprintf("%s%s%s", targetColorValue, str, ansiColorReset)
	}

	return str
}


	list := func() error {
		
		targets := map[string]string{
			"build:backend": "build a production build for the current platform",
			"build:custom": "allows customizable back-end plugin builds for the provided os and arch.",
			"build:darwin": "builds the back-end plugin for OSX on AMD64.",
			"build:darwinARM64": "builds the back-end plugin for OSX on ARM (M1/M2).",
			"build:debug": "builds the debug version for the current platform.",
			"build:debugDarwinAMD64": "builds the debug version targeted for OSX on AMD64.",
			"build:debugDarwinARM64": "builds the debug version targeted for OSX on ARM (M1/M2).",
			"build:debugLinuxAMD64": "builds the debug version targeted for linux on AMD64.",
			"build:debugLinuxARM64": "builds the debug version targeted for linux on ARM64.",
			"build:debugMarketplace": "builds a debug version for the current platform without marketplace license checks.",
			"build:debugMarketplaceFor": "builds a debug version for the provided platform without marketplace license checks.",
			"build:debugWindowsAMD64": "builds the debug version targeted for windows on AMD64.",
			"build:generateManifestFile": "generates a manifest file for plugin submissions",
			"build:linux": "builds the back-end plugin for Linux.",
			"build:linuxARM": "builds the back-end plugin for Linux on ARM.",
			"build:linuxARM64": "builds the back-end plugin for Linux on ARM64.",
			"build:windows": "builds the back-end plugin for Windows.",
			"buildAll*": "builds production executables for all supported platforms.",
			"clean": "cleans build artifacts, by deleting the dist directory.",
			"coverage": "runs backend tests and makes a coverage report.",
			"debugger": "makes a new debug build, re-launches the plugin and attaches the Delve debugger, in headless mode listening on port 3222.",
			"format": "formats the sources.",
			"lint": "audits the source style",
			"reloadPlugin": "- kills any running instances and waits for grafana to reload the plugin",
			"test": "runs backend tests.",
			"testRace": "runs backend tests with the data race detector enabled.",
			"watch": "rebuilds the plugin backend debug version when files change.",
		}

		keys := make([]string, 0, len(targets))
		for name := range targets {
			keys = append(keys, name)
		}
		_sort.Strings(keys)

		_fmt.Println("Targets:")
		w := _tabwriter.NewWriter(_os.Stdout, 0, 4, 4, ' ', 0)
		for _, name := range keys {
			_fmt.Fprintf(w, "  %v\t%v\n", printName(name), targets[name])
		}
		err := w.Flush()
			if err == nil {
				_fmt.Println("\n* default target")
			}
		return err
	}

	var ctx _context.Context
	ctxCancel := func(){}

	// by deferring in a closure, we let the cancel function get replaced
	// by the getContext function.
	defer func() {
		ctxCancel()
	}()

	getContext := func() (_context.Context, func()) {
		if ctx == nil {
			if args.Timeout != 0 {
				ctx, ctxCancel = _context.WithTimeout(_context.Background(), args.Timeout)
			} else {
				ctx, ctxCancel = _context.WithCancel(_context.Background())
			}
		}

		return ctx, ctxCancel
	}

	runTarget := func(logger *_log.Logger, fn func(_context.Context) error) interface{} {
		var err interface{}
		ctx, cancel := getContext()
		d := make(chan interface{})
		go func() {
			defer func() {
				err := recover()
				d <- err
			}()
			err := fn(ctx)
			d <- err
		}()
		sigCh := make(chan _os.Signal, 1)
		_signal.Notify(sigCh, _syscall.SIGINT)
		select {
		case <-sigCh:
			logger.Println("cancelling mage targets, waiting up to 5 seconds for cleanup...")
			cancel()
			cleanupCh := _time.After(5 * _time.Second)

			select {
			// target exited by itself
			case err = <-d:
				return err
			// cleanup timeout exceeded
			case <-cleanupCh:
				return _fmt.Errorf("cleanup timeout exceeded")
			// second SIGINT received
			case <-sigCh:
				logger.Println("exiting mage")
				return _fmt.Errorf("exit forced")
			}
		case <-ctx.Done():
			cancel()
			e := ctx.Err()
			_fmt.Printf("ctx err: %v\n", e)
			return e
		case err = <-d:
			// we intentionally don't cancel the context here, because
			// the next target will need to run with the same _context.
			return err
		}
	}
	// This is necessary in case there aren't any targets, to avoid an unused
	// variable error.
	_ = runTarget

	handleError := func(logger *_log.Logger, err interface{}) {
		if err != nil {
			logger.Printf("Error: %+v\n", err)
			type code interface {
				ExitStatus() int
			}
			if c, ok := err.(code); ok {
				_os.Exit(c.ExitStatus())
			}
			_os.Exit(1)
		}
	}
	_ = handleError

	// Set MAGEFILE_VERBOSE so mg.Verbose() reflects the flag value.
	if args.Verbose {
		_os.Setenv("MAGEFILE_VERBOSE", "1")
	} else {
		_os.Setenv("MAGEFILE_VERBOSE", "0")
	}

	_log.SetFlags(0)
	if !args.Verbose {
		_log.SetOutput(_io.Discard)
	}
	logger := _log.New(_os.Stderr, "", 0)
	if args.List {
		if err := list(); err != nil {
			_log.Println(err)
			_os.Exit(1)
		}
		return
	}

	if args.Help {
		if len(args.Args) < 1 {
			logger.Println("no target specified")
			_os.Exit(2)
		}
		switch _strings.ToLower(args.Args[0]) {
			case "build:backend":
				_fmt.Println("Backend build a production build for the current platform")
				_fmt.Println()
				
				_fmt.Print("Usage:\n\n\tmage build:backend\n\n")
				var aliases []string
				if len(aliases) > 0 {
					_sort.Strings(aliases)
					_fmt.Printf("Aliases: %s\n\n", _strings.Join(aliases, ", "))
				}
				return
				case "build:custom":
				_fmt.Println("Custom allows customizable back-end plugin builds for the provided os and arch. Note: Cutomized builds are not officially supported by Grafana, so this option is intended for developers who need to create their own custom build targets.")
				_fmt.Println()
				
				_fmt.Print("Usage:\n\n\tmage build:custom <os> <arch>\n\n")
				var aliases []string
				if len(aliases) > 0 {
					_sort.Strings(aliases)
					_fmt.Printf("Aliases: %s\n\n", _strings.Join(aliases, ", "))
				}
				return
				case "build:darwin":
				_fmt.Println("Darwin builds the back-end plugin for OSX on AMD64.")
				_fmt.Println()
				
				_fmt.Print("Usage:\n\n\tmage build:darwin\n\n")
				var aliases []string
				if len(aliases) > 0 {
					_sort.Strings(aliases)
					_fmt.Printf("Aliases: %s\n\n", _strings.Join(aliases, ", "))
				}
				return
				case "build:darwinarm64":
				_fmt.Println("DarwinARM64 builds the back-end plugin for OSX on ARM (M1/M2).")
				_fmt.Println()
				
				_fmt.Print("Usage:\n\n\tmage build:darwinarm64\n\n")
				var aliases []string
				if len(aliases) > 0 {
					_sort.Strings(aliases)
					_fmt.Printf("Aliases: %s\n\n", _strings.Join(aliases, ", "))
				}
				return
				case "build:debug":
				_fmt.Println("Debug builds the debug version for the current platform.")
				_fmt.Println()
				
				_fmt.Print("Usage:\n\n\tmage build:debug\n\n")
				var aliases []string
				if len(aliases) > 0 {
					_sort.Strings(aliases)
					_fmt.Printf("Aliases: %s\n\n", _strings.Join(aliases, ", "))
				}
				return
				case "build:debugdarwinamd64":
				_fmt.Println("DebugDarwinAMD64 builds the debug version targeted for OSX on AMD64.")
				_fmt.Println()
				
				_fmt.Print("Usage:\n\n\tmage build:debugdarwinamd64\n\n")
				var aliases []string
				if len(aliases) > 0 {
					_sort.Strings(aliases)
					_fmt.Printf("Aliases: %s\n\n", _strings.Join(aliases, ", "))
				}
				return
				case "build:debugdarwinarm64":
				_fmt.Println("DebugDarwinARM64 builds the debug version targeted for OSX on ARM (M1/M2).")
				_fmt.Println()
				
				_fmt.Print("Usage:\n\n\tmage build:debugdarwinarm64\n\n")
				var aliases []string
				if len(aliases) > 0 {
					_sort.Strings(aliases)
					_fmt.Printf("Aliases: %s\n\n", _strings.Join(aliases, ", "))
				}
				return
				case "build:debuglinuxamd64":
				_fmt.Println("DebugLinuxAMD64 builds the debug version targeted for linux on AMD64.")
				_fmt.Println()
				
				_fmt.Print("Usage:\n\n\tmage build:debuglinuxamd64\n\n")
				var aliases []string
				if len(aliases) > 0 {
					_sort.Strings(aliases)
					_fmt.Printf("Aliases: %s\n\n", _strings.Join(aliases, ", "))
				}
				return
				case "build:debuglinuxarm64":
				_fmt.Println("DebugLinuxARM64 builds the debug version targeted for linux on ARM64.")
				_fmt.Println()
				
				_fmt.Print("Usage:\n\n\tmage build:debuglinuxarm64\n\n")
				var aliases []string
				if len(aliases) > 0 {
					_sort.Strings(aliases)
					_fmt.Printf("Aliases: %s\n\n", _strings.Join(aliases, ", "))
				}
				return
				case "build:debugmarketplace":
				_fmt.Println("DebugMarketplace builds a debug version for the current platform without marketplace license checks.")
				_fmt.Println()
				
				_fmt.Print("Usage:\n\n\tmage build:debugmarketplace\n\n")
				var aliases []string
				if len(aliases) > 0 {
					_sort.Strings(aliases)
					_fmt.Printf("Aliases: %s\n\n", _strings.Join(aliases, ", "))
				}
				return
				case "build:debugmarketplacefor":
				_fmt.Println("DebugMarketplaceFor builds a debug version for the provided platform without marketplace license checks.")
				_fmt.Println()
				
				_fmt.Print("Usage:\n\n\tmage build:debugmarketplacefor <os> <arch>\n\n")
				var aliases []string
				if len(aliases) > 0 {
					_sort.Strings(aliases)
					_fmt.Printf("Aliases: %s\n\n", _strings.Join(aliases, ", "))
				}
				return
				case "build:debugwindowsamd64":
				_fmt.Println("DebugWindowsAMD64 builds the debug version targeted for windows on AMD64.")
				_fmt.Println()
				
				_fmt.Print("Usage:\n\n\tmage build:debugwindowsamd64\n\n")
				var aliases []string
				if len(aliases) > 0 {
					_sort.Strings(aliases)
					_fmt.Printf("Aliases: %s\n\n", _strings.Join(aliases, ", "))
				}
				return
				case "build:generatemanifestfile":
				_fmt.Println("GenerateManifestFile generates a manifest file for plugin submissions")
				_fmt.Println()
				
				_fmt.Print("Usage:\n\n\tmage build:generatemanifestfile\n\n")
				var aliases []string
				if len(aliases) > 0 {
					_sort.Strings(aliases)
					_fmt.Printf("Aliases: %s\n\n", _strings.Join(aliases, ", "))
				}
				return
				case "build:linux":
				_fmt.Println("Linux builds the back-end plugin for Linux.")
				_fmt.Println()
				
				_fmt.Print("Usage:\n\n\tmage build:linux\n\n")
				var aliases []string
				if len(aliases) > 0 {
					_sort.Strings(aliases)
					_fmt.Printf("Aliases: %s\n\n", _strings.Join(aliases, ", "))
				}
				return
				case "build:linuxarm":
				_fmt.Println("LinuxARM builds the back-end plugin for Linux on ARM.")
				_fmt.Println()
				
				_fmt.Print("Usage:\n\n\tmage build:linuxarm\n\n")
				var aliases []string
				if len(aliases) > 0 {
					_sort.Strings(aliases)
					_fmt.Printf("Aliases: %s\n\n", _strings.Join(aliases, ", "))
				}
				return
				case "build:linuxarm64":
				_fmt.Println("LinuxARM64 builds the back-end plugin for Linux on ARM64.")
				_fmt.Println()
				
				_fmt.Print("Usage:\n\n\tmage build:linuxarm64\n\n")
				var aliases []string
				if len(aliases) > 0 {
					_sort.Strings(aliases)
					_fmt.Printf("Aliases: %s\n\n", _strings.Join(aliases, ", "))
				}
				return
				case "build:windows":
				_fmt.Println("Windows builds the back-end plugin for Windows.")
				_fmt.Println()
				
				_fmt.Print("Usage:\n\n\tmage build:windows\n\n")
				var aliases []string
				if len(aliases) > 0 {
					_sort.Strings(aliases)
					_fmt.Printf("Aliases: %s\n\n", _strings.Join(aliases, ", "))
				}
				return
				case "buildall":
				_fmt.Println("BuildAll builds production executables for all supported platforms.")
				_fmt.Println()
				
				_fmt.Print("Usage:\n\n\tmage buildall\n\n")
				var aliases []string
				if len(aliases) > 0 {
					_sort.Strings(aliases)
					_fmt.Printf("Aliases: %s\n\n", _strings.Join(aliases, ", "))
				}
				return
				case "clean":
				_fmt.Println("Clean cleans build artifacts, by deleting the dist directory.")
				_fmt.Println()
				
				_fmt.Print("Usage:\n\n\tmage clean\n\n")
				var aliases []string
				if len(aliases) > 0 {
					_sort.Strings(aliases)
					_fmt.Printf("Aliases: %s\n\n", _strings.Join(aliases, ", "))
				}
				return
				case "coverage":
				_fmt.Println("Coverage runs backend tests and makes a coverage report.")
				_fmt.Println()
				
				_fmt.Print("Usage:\n\n\tmage coverage\n\n")
				var aliases []string
				if len(aliases) > 0 {
					_sort.Strings(aliases)
					_fmt.Printf("Aliases: %s\n\n", _strings.Join(aliases, ", "))
				}
				return
				case "debugger":
				_fmt.Println("Debugger makes a new debug build, re-launches the plugin and attaches the Delve debugger, in headless mode listening on port 3222.  The plugin process is killed after re-building, in order to make Grafana launch the new version. Once the new version is up, we attach to it with Delve.")
				_fmt.Println()
				
				_fmt.Print("Usage:\n\n\tmage debugger\n\n")
				var aliases []string
				if len(aliases) > 0 {
					_sort.Strings(aliases)
					_fmt.Printf("Aliases: %s\n\n", _strings.Join(aliases, ", "))
				}
				return
				case "format":
				_fmt.Println("Format formats the sources.")
				_fmt.Println()
				
				_fmt.Print("Usage:\n\n\tmage format\n\n")
				var aliases []string
				if len(aliases) > 0 {
					_sort.Strings(aliases)
					_fmt.Printf("Aliases: %s\n\n", _strings.Join(aliases, ", "))
				}
				return
				case "lint":
				_fmt.Println("Lint audits the source style")
				_fmt.Println()
				
				_fmt.Print("Usage:\n\n\tmage lint\n\n")
				var aliases []string
				if len(aliases) > 0 {
					_sort.Strings(aliases)
					_fmt.Printf("Aliases: %s\n\n", _strings.Join(aliases, ", "))
				}
				return
				case "reloadplugin":
				_fmt.Println("ReloadPlugin - kills any running instances and waits for grafana to reload the plugin")
				_fmt.Println()
				
				_fmt.Print("Usage:\n\n\tmage reloadplugin\n\n")
				var aliases []string
				if len(aliases) > 0 {
					_sort.Strings(aliases)
					_fmt.Printf("Aliases: %s\n\n", _strings.Join(aliases, ", "))
				}
				return
				case "test":
				_fmt.Println("Test runs backend tests.")
				_fmt.Println()
				
				_fmt.Print("Usage:\n\n\tmage test\n\n")
				var aliases []string
				if len(aliases) > 0 {
					_sort.Strings(aliases)
					_fmt.Printf("Aliases: %s\n\n", _strings.Join(aliases, ", "))
				}
				return
				case "testrace":
				_fmt.Println("TestRace runs backend tests with the data race detector enabled.")
				_fmt.Println()
				
				_fmt.Print("Usage:\n\n\tmage testrace\n\n")
				var aliases []string
				if len(aliases) > 0 {
					_sort.Strings(aliases)
					_fmt.Printf("Aliases: %s\n\n", _strings.Join(aliases, ", "))
				}
				return
				case "watch":
				_fmt.Println("Watch rebuilds the plugin backend debug version when files change.")
				_fmt.Println()
				
				_fmt.Print("Usage:\n\n\tmage watch\n\n")
				var aliases []string
				if len(aliases) > 0 {
					_sort.Strings(aliases)
					_fmt.Printf("Aliases: %s\n\n", _strings.Join(aliases, ", "))
				}
				return
				default:
				logger.Printf("Unknown target: %q\n", args.Args[0])
				_os.Exit(2)
		}
	}
	if len(args.Args) < 1 {
		ignoreDefault, _ := _strconv.ParseBool(_os.Getenv("MAGEFILE_IGNOREDEFAULT"))
		if ignoreDefault {
			if err := list(); err != nil {
				logger.Println("Error:", err)
				_os.Exit(1)
			}
			return
		}
		
				wrapFn := func(ctx _context.Context) error {
					build_mageimport.BuildAll()
					return nil
				}
				ret := runTarget(logger, wrapFn)
		handleError(logger, ret)
		return
	}
	for x := 0; x < len(args.Args); {
		target := args.Args[x]
		x++

		// resolve aliases
		switch _strings.ToLower(target) {
		
		}

		switch _strings.ToLower(target) {
		
		
		
			
				case "build:backend":
					expected := x + 0
					if expected > len(args.Args) {
						// note that expected and args at this point include the arg for the target itself
						// so we subtract 1 here to show the number of args without the target.
						logger.Printf("not enough arguments for target \"Build:Backend\", expected %v, got %v\n", expected-1, len(args.Args)-1)
						_os.Exit(2)
					}
					if args.Verbose {
						logger.Println("Running target:", "Build:Backend")
					}
					
				wrapFn := func(ctx _context.Context) error {
					return build_mageimport.Build{}.Backend()
				}
				ret := runTarget(logger, wrapFn)
					handleError(logger, ret)
				case "build:custom":
					expected := x + 2
					if expected > len(args.Args) {
						// note that expected and args at this point include the arg for the target itself
						// so we subtract 1 here to show the number of args without the target.
						logger.Printf("not enough arguments for target \"Build:Custom\", expected %v, got %v\n", expected-1, len(args.Args)-1)
						_os.Exit(2)
					}
					if args.Verbose {
						logger.Println("Running target:", "Build:Custom")
					}
					
			arg0 := args.Args[x]
			x++
			arg1 := args.Args[x]
			x++
				wrapFn := func(ctx _context.Context) error {
					return build_mageimport.Build{}.Custom(arg0, arg1)
				}
				ret := runTarget(logger, wrapFn)
					handleError(logger, ret)
				case "build:darwin":
					expected := x + 0
					if expected > len(args.Args) {
						// note that expected and args at this point include the arg for the target itself
						// so we subtract 1 here to show the number of args without the target.
						logger.Printf("not enough arguments for target \"Build:Darwin\", expected %v, got %v\n", expected-1, len(args.Args)-1)
						_os.Exit(2)
					}
					if args.Verbose {
						logger.Println("Running target:", "Build:Darwin")
					}
					
				wrapFn := func(ctx _context.Context) error {
					return build_mageimport.Build{}.Darwin()
				}
				ret := runTarget(logger, wrapFn)
					handleError(logger, ret)
				case "build:darwinarm64":
					expected := x + 0
					if expected > len(args.Args) {
						// note that expected and args at this point include the arg for the target itself
						// so we subtract 1 here to show the number of args without the target.
						logger.Printf("not enough arguments for target \"Build:DarwinARM64\", expected %v, got %v\n", expected-1, len(args.Args)-1)
						_os.Exit(2)
					}
					if args.Verbose {
						logger.Println("Running target:", "Build:DarwinARM64")
					}
					
				wrapFn := func(ctx _context.Context) error {
					return build_mageimport.Build{}.DarwinARM64()
				}
				ret := runTarget(logger, wrapFn)
					handleError(logger, ret)
				case "build:debug":
					expected := x + 0
					if expected > len(args.Args) {
						// note that expected and args at this point include the arg for the target itself
						// so we subtract 1 here to show the number of args without the target.
						logger.Printf("not enough arguments for target \"Build:Debug\", expected %v, got %v\n", expected-1, len(args.Args)-1)
						_os.Exit(2)
					}
					if args.Verbose {
						logger.Println("Running target:", "Build:Debug")
					}
					
				wrapFn := func(ctx _context.Context) error {
					return build_mageimport.Build{}.Debug()
				}
				ret := runTarget(logger, wrapFn)
					handleError(logger, ret)
				case "build:debugdarwinamd64":
					expected := x + 0
					if expected > len(args.Args) {
						// note that expected and args at this point include the arg for the target itself
						// so we subtract 1 here to show the number of args without the target.
						logger.Printf("not enough arguments for target \"Build:DebugDarwinAMD64\", expected %v, got %v\n", expected-1, len(args.Args)-1)
						_os.Exit(2)
					}
					if args.Verbose {
						logger.Println("Running target:", "Build:DebugDarwinAMD64")
					}
					
				wrapFn := func(ctx _context.Context) error {
					return build_mageimport.Build{}.DebugDarwinAMD64()
				}
				ret := runTarget(logger, wrapFn)
					handleError(logger, ret)
				case "build:debugdarwinarm64":
					expected := x + 0
					if expected > len(args.Args) {
						// note that expected and args at this point include the arg for the target itself
						// so we subtract 1 here to show the number of args without the target.
						logger.Printf("not enough arguments for target \"Build:DebugDarwinARM64\", expected %v, got %v\n", expected-1, len(args.Args)-1)
						_os.Exit(2)
					}
					if args.Verbose {
						logger.Println("Running target:", "Build:DebugDarwinARM64")
					}
					
				wrapFn := func(ctx _context.Context) error {
					return build_mageimport.Build{}.DebugDarwinARM64()
				}
				ret := runTarget(logger, wrapFn)
					handleError(logger, ret)
				case "build:debuglinuxamd64":
					expected := x + 0
					if expected > len(args.Args) {
						// note that expected and args at this point include the arg for the target itself
						// so we subtract 1 here to show the number of args without the target.
						logger.Printf("not enough arguments for target \"Build:DebugLinuxAMD64\", expected %v, got %v\n", expected-1, len(args.Args)-1)
						_os.Exit(2)
					}
					if args.Verbose {
						logger.Println("Running target:", "Build:DebugLinuxAMD64")
					}
					
				wrapFn := func(ctx _context.Context) error {
					return build_mageimport.Build{}.DebugLinuxAMD64()
				}
				ret := runTarget(logger, wrapFn)
					handleError(logger, ret)
				case "build:debuglinuxarm64":
					expected := x + 0
					if expected > len(args.Args) {
						// note that expected and args at this point include the arg for the target itself
						// so we subtract 1 here to show the number of args without the target.
						logger.Printf("not enough arguments for target \"Build:DebugLinuxARM64\", expected %v, got %v\n", expected-1, len(args.Args)-1)
						_os.Exit(2)
					}
					if args.Verbose {
						logger.Println("Running target:", "Build:DebugLinuxARM64")
					}
					
				wrapFn := func(ctx _context.Context) error {
					return build_mageimport.Build{}.DebugLinuxARM64()
				}
				ret := runTarget(logger, wrapFn)
					handleError(logger, ret)
				case "build:debugmarketplace":
					expected := x + 0
					if expected > len(args.Args) {
						// note that expected and args at this point include the arg for the target itself
						// so we subtract 1 here to show the number of args without the target.
						logger.Printf("not enough arguments for target \"Build:DebugMarketplace\", expected %v, got %v\n", expected-1, len(args.Args)-1)
						_os.Exit(2)
					}
					if args.Verbose {
						logger.Println("Running target:", "Build:DebugMarketplace")
					}
					
				wrapFn := func(ctx _context.Context) error {
					return build_mageimport.Build{}.DebugMarketplace()
				}
				ret := runTarget(logger, wrapFn)
					handleError(logger, ret)
				case "build:debugmarketplacefor":
					expected := x + 2
					if expected > len(args.Args) {
						// note that expected and args at this point include the arg for the target itself
						// so we subtract 1 here to show the number of args without the target.
						logger.Printf("not enough arguments for target \"Build:DebugMarketplaceFor\", expected %v, got %v\n", expected-1, len(args.Args)-1)
						_os.Exit(2)
					}
					if args.Verbose {
						logger.Println("Running target:", "Build:DebugMarketplaceFor")
					}
					
			arg0 := args.Args[x]
			x++
			arg1 := args.Args[x]
			x++
				wrapFn := func(ctx _context.Context) error {
					return build_mageimport.Build{}.DebugMarketplaceFor(arg0, arg1)
				}
				ret := runTarget(logger, wrapFn)
					handleError(logger, ret)
				case "build:debugwindowsamd64":
					expected := x + 0
					if expected > len(args.Args) {
						// note that expected and args at this point include the arg for the target itself
						// so we subtract 1 here to show the number of args without the target.
						logger.Printf("not enough arguments for target \"Build:DebugWindowsAMD64\", expected %v, got %v\n", expected-1, len(args.Args)-1)
						_os.Exit(2)
					}
					if args.Verbose {
						logger.Println("Running target:", "Build:DebugWindowsAMD64")
					}
					
				wrapFn := func(ctx _context.Context) error {
					return build_mageimport.Build{}.DebugWindowsAMD64()
				}
				ret := runTarget(logger, wrapFn)
					handleError(logger, ret)
				case "build:generatemanifestfile":
					expected := x + 0
					if expected > len(args.Args) {
						// note that expected and args at this point include the arg for the target itself
						// so we subtract 1 here to show the number of args without the target.
						logger.Printf("not enough arguments for target \"Build:GenerateManifestFile\", expected %v, got %v\n", expected-1, len(args.Args)-1)
						_os.Exit(2)
					}
					if args.Verbose {
						logger.Println("Running target:", "Build:GenerateManifestFile")
					}
					
				wrapFn := func(ctx _context.Context) error {
					return build_mageimport.Build{}.GenerateManifestFile()
				}
				ret := runTarget(logger, wrapFn)
					handleError(logger, ret)
				case "build:linux":
					expected := x + 0
					if expected > len(args.Args) {
						// note that expected and args at this point include the arg for the target itself
						// so we subtract 1 here to show the number of args without the target.
						logger.Printf("not enough arguments for target \"Build:Linux\", expected %v, got %v\n", expected-1, len(args.Args)-1)
						_os.Exit(2)
					}
					if args.Verbose {
						logger.Println("Running target:", "Build:Linux")
					}
					
				wrapFn := func(ctx _context.Context) error {
					return build_mageimport.Build{}.Linux()
				}
				ret := runTarget(logger, wrapFn)
					handleError(logger, ret)
				case "build:linuxarm":
					expected := x + 0
					if expected > len(args.Args) {
						// note that expected and args at this point include the arg for the target itself
						// so we subtract 1 here to show the number of args without the target.
						logger.Printf("not enough arguments for target \"Build:LinuxARM\", expected %v, got %v\n", expected-1, len(args.Args)-1)
						_os.Exit(2)
					}
					if args.Verbose {
						logger.Println("Running target:", "Build:LinuxARM")
					}
					
				wrapFn := func(ctx _context.Context) error {
					return build_mageimport.Build{}.LinuxARM()
				}
				ret := runTarget(logger, wrapFn)
					handleError(logger, ret)
				case "build:linuxarm64":
					expected := x + 0
					if expected > len(args.Args) {
						// note that expected and args at this point include the arg for the target itself
						// so we subtract 1 here to show the number of args without the target.
						logger.Printf("not enough arguments for target \"Build:LinuxARM64\", expected %v, got %v\n", expected-1, len(args.Args)-1)
						_os.Exit(2)
					}
					if args.Verbose {
						logger.Println("Running target:", "Build:LinuxARM64")
					}
					
				wrapFn := func(ctx _context.Context) error {
					return build_mageimport.Build{}.LinuxARM64()
				}
				ret := runTarget(logger, wrapFn)
					handleError(logger, ret)
				case "build:windows":
					expected := x + 0
					if expected > len(args.Args) {
						// note that expected and args at this point include the arg for the target itself
						// so we subtract 1 here to show the number of args without the target.
						logger.Printf("not enough arguments for target \"Build:Windows\", expected %v, got %v\n", expected-1, len(args.Args)-1)
						_os.Exit(2)
					}
					if args.Verbose {
						logger.Println("Running target:", "Build:Windows")
					}
					
				wrapFn := func(ctx _context.Context) error {
					return build_mageimport.Build{}.Windows()
				}
				ret := runTarget(logger, wrapFn)
					handleError(logger, ret)
				case "buildall":
					expected := x + 0
					if expected > len(args.Args) {
						// note that expected and args at this point include the arg for the target itself
						// so we subtract 1 here to show the number of args without the target.
						logger.Printf("not enough arguments for target \"BuildAll\", expected %v, got %v\n", expected-1, len(args.Args)-1)
						_os.Exit(2)
					}
					if args.Verbose {
						logger.Println("Running target:", "BuildAll")
					}
					
				wrapFn := func(ctx _context.Context) error {
					build_mageimport.BuildAll()
					return nil
				}
				ret := runTarget(logger, wrapFn)
					handleError(logger, ret)
				case "clean":
					expected := x + 0
					if expected > len(args.Args) {
						// note that expected and args at this point include the arg for the target itself
						// so we subtract 1 here to show the number of args without the target.
						logger.Printf("not enough arguments for target \"Clean\", expected %v, got %v\n", expected-1, len(args.Args)-1)
						_os.Exit(2)
					}
					if args.Verbose {
						logger.Println("Running target:", "Clean")
					}
					
				wrapFn := func(ctx _context.Context) error {
					return build_mageimport.Clean()
				}
				ret := runTarget(logger, wrapFn)
					handleError(logger, ret)
				case "coverage":
					expected := x + 0
					if expected > len(args.Args) {
						// note that expected and args at this point include the arg for the target itself
						// so we subtract 1 here to show the number of args without the target.
						logger.Printf("not enough arguments for target \"Coverage\", expected %v, got %v\n", expected-1, len(args.Args)-1)
						_os.Exit(2)
					}
					if args.Verbose {
						logger.Println("Running target:", "Coverage")
					}
					
				wrapFn := func(ctx _context.Context) error {
					return build_mageimport.Coverage()
				}
				ret := runTarget(logger, wrapFn)
					handleError(logger, ret)
				case "debugger":
					expected := x + 0
					if expected > len(args.Args) {
						// note that expected and args at this point include the arg for the target itself
						// so we subtract 1 here to show the number of args without the target.
						logger.Printf("not enough arguments for target \"Debugger\", expected %v, got %v\n", expected-1, len(args.Args)-1)
						_os.Exit(2)
					}
					if args.Verbose {
						logger.Println("Running target:", "Debugger")
					}
					
				wrapFn := func(ctx _context.Context) error {
					return build_mageimport.Debugger()
				}
				ret := runTarget(logger, wrapFn)
					handleError(logger, ret)
				case "format":
					expected := x + 0
					if expected > len(args.Args) {
						// note that expected and args at this point include the arg for the target itself
						// so we subtract 1 here to show the number of args without the target.
						logger.Printf("not enough arguments for target \"Format\", expected %v, got %v\n", expected-1, len(args.Args)-1)
						_os.Exit(2)
					}
					if args.Verbose {
						logger.Println("Running target:", "Format")
					}
					
				wrapFn := func(ctx _context.Context) error {
					return build_mageimport.Format()
				}
				ret := runTarget(logger, wrapFn)
					handleError(logger, ret)
				case "lint":
					expected := x + 0
					if expected > len(args.Args) {
						// note that expected and args at this point include the arg for the target itself
						// so we subtract 1 here to show the number of args without the target.
						logger.Printf("not enough arguments for target \"Lint\", expected %v, got %v\n", expected-1, len(args.Args)-1)
						_os.Exit(2)
					}
					if args.Verbose {
						logger.Println("Running target:", "Lint")
					}
					
				wrapFn := func(ctx _context.Context) error {
					return build_mageimport.Lint()
				}
				ret := runTarget(logger, wrapFn)
					handleError(logger, ret)
				case "reloadplugin":
					expected := x + 0
					if expected > len(args.Args) {
						// note that expected and args at this point include the arg for the target itself
						// so we subtract 1 here to show the number of args without the target.
						logger.Printf("not enough arguments for target \"ReloadPlugin\", expected %v, got %v\n", expected-1, len(args.Args)-1)
						_os.Exit(2)
					}
					if args.Verbose {
						logger.Println("Running target:", "ReloadPlugin")
					}
					
				wrapFn := func(ctx _context.Context) error {
					return build_mageimport.ReloadPlugin()
				}
				ret := runTarget(logger, wrapFn)
					handleError(logger, ret)
				case "test":
					expected := x + 0
					if expected > len(args.Args) {
						// note that expected and args at this point include the arg for the target itself
						// so we subtract 1 here to show the number of args without the target.
						logger.Printf("not enough arguments for target \"Test\", expected %v, got %v\n", expected-1, len(args.Args)-1)
						_os.Exit(2)
					}
					if args.Verbose {
						logger.Println("Running target:", "Test")
					}
					
				wrapFn := func(ctx _context.Context) error {
					return build_mageimport.Test()
				}
				ret := runTarget(logger, wrapFn)
					handleError(logger, ret)
				case "testrace":
					expected := x + 0
					if expected > len(args.Args) {
						// note that expected and args at this point include the arg for the target itself
						// so we subtract 1 here to show the number of args without the target.
						logger.Printf("not enough arguments for target \"TestRace\", expected %v, got %v\n", expected-1, len(args.Args)-1)
						_os.Exit(2)
					}
					if args.Verbose {
						logger.Println("Running target:", "TestRace")
					}
					
				wrapFn := func(ctx _context.Context) error {
					return build_mageimport.TestRace()
				}
				ret := runTarget(logger, wrapFn)
					handleError(logger, ret)
				case "watch":
					expected := x + 0
					if expected > len(args.Args) {
						// note that expected and args at this point include the arg for the target itself
						// so we subtract 1 here to show the number of args without the target.
						logger.Printf("not enough arguments for target \"Watch\", expected %v, got %v\n", expected-1, len(args.Args)-1)
						_os.Exit(2)
					}
					if args.Verbose {
						logger.Println("Running target:", "Watch")
					}
					
				wrapFn := func(ctx _context.Context) error {
					return build_mageimport.Watch()
				}
				ret := runTarget(logger, wrapFn)
					handleError(logger, ret)
		default:
			logger.Printf("Unknown target specified: %q\n", target)
			_os.Exit(2)
		}
	}
}




