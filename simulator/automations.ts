import { DAY } from './clock';
import type { SimulatorOptions } from './options';
import { Random } from './random';

/** An automation of the world: its character, and what follows from the seed. */
export interface Automation extends Character {
  /** Creation time in milliseconds: its `date`. */
  created: number;
  /** Index of the runner that takes its tasks when it is free; null if all are equal. */
  home: number | null;
  /** Of waiting tasks, 0 starts first: what customers wait for. 2 is last: what runs at night. */
  priority: number;
  /** Minutes that a person would need for one item. */
  minutesPerItem: number;
  /** Money spent on it per day. */
  costPerDay: number;
}

/** The two years in which automations were created, long before any task that the service still remembers. */
const FIRST_MADE = Date.parse('2023-01-09T12:00:00Z');
const MADE_WITHIN = 700 * DAY;

/** The automations of a company. Beyond the end of the list, the same ones repeat, numbered. */
export function makeAutomations({ automations, runners, seed }: SimulatorOptions): Automation[] {
  return Array.from({ length: automations }, (_, index) => {
    const character = characters[index % characters.length];
    const { label, name, weight, repository, hours, items } = character;
    const random = new Random(seed, 'automation', index);
    const round = Math.floor(index / characters.length) + 1;
    return {
      ...character,
      ...(round > 1 && {
        label: `${label}-${round}`,
        name: `${name} ${round}`,
        success: random.between(0.92, 0.99),
        weight: weight * random.between(0.2, 1),
      }),
      created: FIRST_MADE + Math.floor(random.unit() * MADE_WITHIN),
      home: homeAt(character, index, runners),
      priority: repository === 'customer-service' ? 0 : hours === 'night' ? 2 : 1,
      // A task replaces between ten minutes and three quarters of an hour of work, regardless of the number of items.
      minutesPerItem: random.between(10, 45) / (items ?? 1),
      costPerDay: random.between(40, 160),
    };
  });
}

/** Runners that work for every automation. If there are several, the last one is nearly idle: it has one automation. */
export function sharedRunners(runners: number): number {
  return runners < LARGE ? runners : runners - 1;
}

/** The number of runners from which one has an automation of its own. */
const LARGE = 6;

function homeAt({ label }: Character, index: number, runners: number): number | null {
  if (runners >= LARGE && label === 'employee-onboarding') {
    return runners - 1;
  }
  // Every fourth one has none; the others take turns.
  return runners === 0 || index % 4 === 3 ? null : (index - Math.floor(index / 4)) % sharedRunners(runners);
}

/** The `machineId` of an automation: its runner, or null. */
export function homeOf(automation: Automation): string | null {
  return automation.home === null ? null : runnerName(automation.home);
}

/** When an automation's tasks are created, in UTC−3: in office hours, between 22 and 6 o'clock, or around the clock. */
export type Hours = 'office' | 'night' | 'always';

/** The character of an automation, written down rather than drawn: readers recognize it. */
interface Character {
  label: string;
  name: string;
  description: string;
  repository: string;
  hours: Hours;
  /** Share of the tasks, relative to the other automations. */
  weight: number;
  /** Mean run time in seconds. */
  seconds: number;
  /** Mean items of a task; null if the robot reports none. */
  items: number | null;
  /** Share of SUCCESS among finished tasks, 0..1. */
  success: number;
}

// One automation, one line.
// prettier-ignore
const rows: Array<[string, string, string, string, Hours, number, number, number | null, number]> = [
  ['invoice-intake', 'Invoice intake', 'Reads supplier invoices from the mailbox and posts them.', 'finance', 'office', 14, 210, 35, 0.97],
  ['nota-fiscal-entrada', 'Nota fiscal – entrada', 'Lança notas fiscais de entrada no ERP.', 'fiscal', 'office', 16, 180, 28, 0.96],
  ['bank-reconciliation', 'Bank reconciliation', 'Matches bank statements with open items.', 'finance', 'night', 6, 480, 400, 0.98],
  ['boletos-emissao', 'Emissão de boletos', 'Emite boletos e envia ao cliente.', 'finance', 'office', 10, 120, 60, 0.985],
  ['employee-onboarding', 'Employee onboarding', 'Creates accounts and access for new colleagues.', 'hr', 'office', 3, 420, 4, 0.95],
  ['folha-de-ponto', 'Folha de ponto', 'Consolida marcações de ponto por filial.', 'hr', 'night', 5, 360, 220, 0.97],
  ['order-tracking', 'Order tracking', 'Asks carriers for the state of open orders.', 'logistics', 'always', 20, 90, 50, 0.975],
  ['ct-e-importacao', 'Importação de CT-e', 'Importa conhecimentos de transporte eletrônicos.', 'logistics', 'always', 14, 150, 22, 0.97],
  ['stock-sync', 'Stock sync', 'Copies stock levels from the warehouse to the shop.', 'logistics', 'always', 12, 60, 300, 0.99],
  ['customer-refunds', 'Customer refunds', 'Checks and pays refunds in the old billing system.', 'customer-service', 'office', 8, 260, 15, 0.9],
  ['contract-renewals', 'Contract renewals', 'Prepares renewals of contracts that end soon.', 'legal', 'office', 3, 480, 8, 0],
  ['certidoes-negativas', 'Certidões negativas', 'Consulta certidões nos portais públicos.', 'legal', 'night', 4, 240, null, 0.975],
  ['ticket-triage', 'Ticket triage', 'Answers simple tickets and passes on the others.', 'customer-service', 'always', 14, 50, 10, 0.98],
  ['price-updates', 'Price updates', 'Copies price lists of suppliers to the shop.', 'logistics', 'always', 12, 70, 120, 0.985],
  ['address-checks', 'Address checks', 'Completes the addresses of new customers.', 'logistics', 'always', 12, 80, 40, 0.975],
  ['conciliacao-pix', 'Conciliação de Pix', 'Concilia recebimentos via Pix com pedidos.', 'finance', 'always', 12, 100, 80, 0.98],
];

const characters = rows.map(
  ([label, name, description, repository, hours, weight, seconds, items, success]): Character => ({
    label,
    name,
    description,
    repository,
    hours,
    weight,
    seconds,
    items,
    success,
  })
);

/** `runner-01`, `runner-02`, … */
export function runnerName(index: number): string {
  return `runner-${String(index + 1).padStart(2, '0')}`;
}
