//go:build race

package list

// What goroutines do differs little from world to world, and each takes the race detector five times as long. npm test takes
// all of them without it.
func init() { *worldSeeds /= 2 }
