/** Fields that the specification does not know, as a service adds them over time; a text, a number and a nested value. */
export function addUnknownFields<T extends object>(rows: T[]) {
  return rows.map((row, index) => ({
    ...row,
    queueName: index % 2 === 0 ? 'default' : 'priority',
    retryCount: index % 3,
    context: { source: 'scheduler', tags: ['sim', `row-${index}`] },
  }));
}
