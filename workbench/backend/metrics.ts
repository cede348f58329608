/** Reads one metric out of Prometheus' text format, summed over its labels; a metric that is not there is 0. */
export function metric(text: string, name: string): number {
  return text
    .split('\n')
    .filter((line) => new RegExp(`^${name}(\\{|\\s)`).test(line))
    .reduce((sum, line) => sum + Number(line.slice(line.lastIndexOf(' '))), 0);
}
