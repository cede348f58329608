/** Fields that the specification calls "number (decimal)". */
const DECIMALS =
  /"(sumItems|sumItemsError|sumItemsProcessed|uptimeRate|downtimeRate|successRate|roi|fte|savings|utilizationRate)":(-?\d+)(?=[,}])/g;

/** JSON in which a decimal that happens to be whole still has its point (`12.0`), as the service's language writes it. */
export function decimalJson(value: unknown): string {
  return JSON.stringify(value).replace(DECIMALS, '"$1":$2.0');
}
