/** What a field holds instead, by its name. Keys that identify a record stay as they are. */
const wrong: Record<string, unknown> = {
  accessToken: 42,
  state: 7,
  machineId: { host: 'runner-01' },
  processedItems: 'many',
  totalItems: [1, 2],
  taskCount: 'many',
  sumItems: true,
  successRate: 'n/a',
  uptimeRate: { value: 1 },
  tasks: 'many',
  utilizationRate: [0.5],
};

const wrongDates: Record<string, unknown> = { dateCreation: 'yesterday at noon', date: 'yesterday at noon' };

/** An answer of the service in which every other record has fields of a wrong type, and the first an unreadable date. */
export function spoil(json: string): string {
  const answer: unknown = JSON.parse(json);
  if (Array.isArray(answer)) {
    return JSON.stringify(spoilRows(answer));
  }
  if (isRecord(answer) && Array.isArray(answer.content)) {
    return JSON.stringify({ ...answer, content: spoilRows(answer.content) });
  }
  return JSON.stringify(spoilRow(answer, wrong));
}

function spoilRows(rows: unknown[]): unknown[] {
  return rows.map((row, index) => {
    if (index % 2 === 1) {
      return row;
    }
    return spoilRow(row, index === 0 ? { ...wrong, ...wrongDates } : wrong);
  });
}

function spoilRow(row: unknown, replacements: Record<string, unknown>): unknown {
  if (!isRecord(row)) {
    return row;
  }
  const entries = Object.entries(row);
  return Object.fromEntries(entries.map(([name, value]) => [name, name in replacements ? replacements[name] : value]));
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null;
}
