/** Reads a metric from Prometheus' text format, summed over its labels; 0 if it doesn't exist. */
export function metric(text: string, name: string): number {
  return text
    .split('\n')
    .filter((line) => new RegExp(`^${name}(\\{|\\s)`).test(line))
    .reduce((sum, line) => sum + Number(line.slice(line.lastIndexOf(' '))), 0);
}
