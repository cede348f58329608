//go:build mage
// +build mage

package main

import (
	"os"
	"strings"

	// mage:import
	build "github.com/grafana/grafana-plugin-sdk-go/build"
)

// Default configures the default target.
var Default = build.BuildAll

// The executables don't tell where they were built. A debugger needs the paths.
func init() {
	err := build.SetBeforeBuildCallback(func(cfg build.Config) (build.Config, error) {
		isBuild := cfg.Env != nil // else, the manifest is written
		if isBuild && !cfg.EnableDebug {
			cfg.Env["GOFLAGS"] = strings.TrimSpace(os.Getenv("GOFLAGS") + " -trimpath")
		}
		return cfg, nil
	})
	if err != nil {
		panic(err)
	}
}
