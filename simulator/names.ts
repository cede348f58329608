/** When an automation's tasks are made, in UTC−3: in office hours, between 22 and 6 o'clock, or around the clock. */
export type Hours = 'office' | 'night' | 'always';

/** What an automation is like, written down rather than drawn: a reader recognizes it, and one of them is clearly ill. */
export interface Character {
  label: string;
  name: string;
  description: string;
  repository: string;
  hours: Hours;
  /** Share of the tasks, in relation to the others. */
  weight: number;
  /** Mean run time in seconds. */
  seconds: number;
  /** Mean items of a task; null when the robot reports none. */
  items: number | null;
  /** SUCCESS among finished tasks, 0..1. */
  success: number;
}

// One automation, one line.
// prettier-ignore
const rows: Array<[string, string, string, string, Hours, number, number, number | null, number]> = [
  ['invoice-intake', 'Invoice intake', 'Reads supplier invoices from the mailbox and posts them.', 'finance', 'office', 14, 210, 35, 0.97],
  ['nota-fiscal-entrada', 'Nota fiscal – entrada', 'Lança notas fiscais de entrada no ERP.', 'fiscal', 'office', 16, 180, 28, 0.96],
  ['bank-reconciliation', 'Bank reconciliation', 'Matches bank statements with open items.', 'finance', 'night', 6, 900, 400, 0.98],
  ['boletos-emissao', 'Emissão de boletos', 'Emite boletos e envia ao cliente.', 'finance', 'office', 10, 120, 60, 0.985],
  ['employee-onboarding', 'Employee onboarding', 'Creates accounts and access for new colleagues.', 'hr', 'office', 3, 420, 4, 0.95],
  ['folha-de-ponto', 'Folha de ponto', 'Consolida marcações de ponto por filial.', 'hr', 'night', 5, 600, 220, 0.97],
  ['order-tracking', 'Order tracking', 'Asks carriers for the state of open orders.', 'logistics', 'always', 18, 90, 50, 0.975],
  ['ct-e-importacao', 'Importação de CT-e', 'Importa conhecimentos de transporte eletrônicos.', 'logistics', 'always', 10, 150, 22, 0.945],
  ['stock-sync', 'Stock sync', 'Copies stock levels from the warehouse to the shop.', 'logistics', 'always', 12, 60, 300, 0.99],
  ['customer-refunds', 'Customer refunds', 'Checks and pays refunds in the old billing system.', 'customer-service', 'office', 8, 260, 15, 0.78],
  ['contract-renewals', 'Contract renewals', 'Prepares renewals of contracts that end soon.', 'legal', 'office', 2, 480, 8, 0.96],
  ['certidoes-negativas', 'Certidões negativas', 'Consulta certidões nos portais públicos.', 'legal', 'night', 4, 330, null, 0.955],
];

const base = rows.map(([label, name, description, repository, hours, weight, seconds, items, success]): Character => ({
  label,
  name,
  description,
  repository,
  hours,
  weight,
  seconds,
  items,
  success,
}));

/** The written-down automation for a position, and behind the end of the list the same ones again, numbered. */
export function characterAt(index: number): Character & { repeated: boolean } {
  const character = base[index % base.length];
  const round = Math.floor(index / base.length) + 1;
  if (round === 1) {
    return { ...character, repeated: false };
  }
  return { ...character, label: `${character.label}-${round}`, name: `${character.name} ${round}`, repeated: true };
}

/** The automation that tasks belong to when a test asks for tasks and no automations: the automation list lacks it. */
export const strayCharacter: Character = { ...base[0], label: 'deleted-automation', name: 'Deleted automation' };

/** `runner-01`, `runner-02`, … */
export function runnerName(index: number): string {
  return `runner-${String(index + 1).padStart(2, '0')}`;
}
