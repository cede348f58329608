import { type Automation, type Hours, sharedRunners } from './automations';
import { DAY, dayOf, HOUR } from './clock';
import { EXACT_DAYS, type SimulatorOptions } from './options';
import { Random, Wheel } from './random';
import { type Job, schedule } from './schedule';
import { Stories } from './stories';
import type { Task } from './tasks';

const WEEKEND = 0.4;
const OFFICE_AT_WEEKEND = 0.15;

/** Share of the runners' time that the busiest hour takes: a queue grows in it, and shrinks afterwards. */
const PEAK = 1.2;
/** The same of an exact number of tasks, which are spread evenly. */
const EVEN = 0.6;
/** Limits how much longer than usual tasks run if there is little to do. */
const SLOWEST = 5;
/** A task times out when it has run this many times as long as usual; it keeps its runner until it ends. */
const TIMEOUT = 4;
/** Some tasks run up to this many times as long as usual. */
const SLOW = 25;

/** IDs of a day start at the day's number times this. */
const IDS_A_DAY = 100_000;

/**
 * Weights of the 24 hours, in UTC: an office day from 8 to 18 o'clock in UTC−3 with a lunch break, nights, and any
 * time.
 */
const hourWeights: Record<Hours, number[]> = {
  office: [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 9, 12, 10, 8, 5, 6, 9, 9, 8, 6, 1, 0, 0],
  night: [2, 5, 6, 6, 5, 5, 4, 3, 2, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0],
  always: [4, 4, 3, 3, 3, 3, 3, 3, 4, 4, 5, 6, 6, 6, 6, 5, 5, 6, 6, 6, 5, 4, 4, 4],
};

const hours: Record<Hours, Wheel> = {
  office: new Wheel(hourWeights.office),
  night: new Wheel(hourWeights.night),
  always: new Wheel(hourWeights.always),
};

/** The creation of a task. */
type Start = Pick<Task, 'automation' | 'created'>;

/** Generates the tasks of a world by day: each day depends only on the seed and the options. */
export class TaskGenerator {
  private readonly workday: Wheel;
  private readonly weekend: Wheel;
  private readonly stories: Stories | undefined;
  /** The starts of an exact number of tasks, by day. */
  private readonly exact: Map<number, Start[]> | undefined;
  /** By which all run times are multiplied, so that the runners can do the work. */
  private readonly pace: number;

  /**
   * @param automations every task belongs to one: without automations, there are none
   * @param now when the world begins, in milliseconds: an exact number of tasks is created before
   */
  constructor(
    private readonly options: SimulatorOptions,
    private readonly automations: Automation[],
    now: number
  ) {
    this.workday = new Wheel(automations.map((automation) => automation.weight));
    this.weekend = new Wheel(
      automations.map(({ weight, hours }) => weight * (hours === 'office' ? OFFICE_AT_WEEKEND : 1))
    );
    this.stories = Stories.of(options, automations);
    this.exact = options.tasksTotal === undefined ? undefined : this.exactly(options.tasksTotal, now);
    this.pace = this.paceOf();
  }

  /** The tasks of a UTC day, oldest first. */
  day(day: number): Task[] {
    if (this.automations.length === 0) {
      return [];
    }
    const random = new Random(this.options.seed, 'day', day);
    const starts = this.exact ? (this.exact.get(day) ?? []) : this.starts(day, random);
    const jobs = starts
      .sort((a, b) => a.created - b.created)
      .map((begin, index) => this.make(day * IDS_A_DAY + index + 1, begin, random));
    this.run(jobs, day);
    const tasks = jobs.map(({ task }) => task);
    this.stories?.spoil(tasks, day);
    return tasks;
  }

  private starts(day: number, random: Random): Start[] {
    // 1 January 1970 was a Thursday.
    const weekend = (day + 4) % 7 === 0 || (day + 4) % 7 === 6;
    const count = Math.round(this.options.tasksPerDay * (weekend ? WEEKEND : 1));
    const counts: number[] = Array(this.automations.length).fill(0);
    for (let i = 0; i < count; i++) {
      counts[(weekend ? this.weekend : this.workday).spin(random)]++;
    }
    // As regularly as if by a schedule: each has its own share of the day's work.
    const starts = counts.flatMap((own, automation) =>
      Array.from({ length: own }, (_, index) => {
        const hour = hours[this.automations[automation].hours].at((index + random.unit()) / own);
        return { automation, created: day * DAY + Math.floor(hour * HOUR) };
      })
    );
    const { stories } = this;
    return stories
      ? [...starts.filter(({ automation, created }) => !stories.isSilent(automation, created)), ...stories.tasks(day)]
      : starts;
  }

  /**
   * Exactly this many tasks, evenly spread over the 30 days before a time in milliseconds (or the history, if it is
   * shorter). The first hour stays empty, so that the count holds for an hour of a moving clock.
   */
  private exactly(count: number, before: number): Map<number, Start[]> {
    const random = new Random(this.options.seed, 'exactly', count);
    const first = before - Math.min(EXACT_DAYS, this.options.historyDays) * DAY + HOUR;
    const step = (before - first) / count;
    const days = new Map<number, Start[]>();
    for (let i = 0; i < count; i++) {
      const created = first + Math.floor((i + random.unit()) * step);
      const starts = days.get(dayOf(created)) ?? [];
      starts.push({ automation: this.workday.spin(random), created });
      days.set(dayOf(created), starts);
    }
    return days;
  }

  /** Gives the tasks that no story has started to the runners. */
  private run(jobs: Job[], day: number) {
    const waiting = jobs.filter(({ task }) => task.ended === Infinity).sort((a, b) => a.task.ready - b.task.ready);
    const end = (day + 1) * DAY;
    const free = this.stories?.free(day) ?? Array(this.options.runners).fill(-Infinity);
    schedule(waiting, free, sharedRunners(this.options.runners), end);
  }

  /** A task that has not started, unless it is canceled in the queue or part of a story. */
  private make(id: number, begin: Start, random: Random): Job {
    const owner = this.automations[begin.automation];
    const fate = random.unit();
    const usual = owner.seconds * 1000 * this.pace;
    const run = 5000 * this.pace + random.waiting(usual / 2) + usual * random.between(0.3, 0.7);
    const canceled = fate < 0.02;
    const whole =
      owner.items === null || random.chance(0.04)
        ? null
        : Math.floor(random.waiting(owner.items / 2) + owner.items / 2);
    const minimumStart = owner.hours === 'office' && random.chance(0.02) ? random.between(0.2, 1) * HOUR : 0;
    const task: Task = {
      id,
      runner: -1,
      ready: begin.created + Math.floor(random.between(1000, 5000) + minimumStart),
      started: Infinity,
      timedOut: Infinity,
      ended: fate < 0.01 ? begin.created + Math.floor(2000 + random.waiting(75_000)) : Infinity,
      canceled,
      luck: random.unit(),
      items: canceled && whole !== null ? Math.floor(whole / 3) : whole,
      errorShare: random.unit(),
      ...begin,
    };
    const slow = fate < 0.028 ? random.between(TIMEOUT, SLOW) : 1;
    return { task, owner, run: Math.ceil(canceled ? run / 3 : run * slow), limit: Math.ceil(usual * TIMEOUT) };
  }

  private paceOf(): number {
    const { runners, tasksPerDay, tasksTotal, historyDays } = this.options;
    const weights = this.automations.reduce((sum, { weight }) => sum + weight, 0);
    /** Seconds of work per task, if a share of each automation's tasks counts. */
    const work = (shareOf: (kind: Hours) => number) =>
      this.automations.reduce((sum, one) => sum + (one.weight / weights) * shareOf(one.hours) * (5 + one.seconds), 0);
    if (runners === 0) {
      return 1;
    }
    if (tasksTotal !== undefined) {
      const seconds = Math.min(EXACT_DAYS, historyDays) * 86_400;
      return Math.min(SLOWEST, (EVEN * sharedRunners(runners) * seconds) / (tasksTotal * work(() => 1)));
    }
    const paces = Array.from({ length: 24 }, (_, hour) => {
      const atWork = sharedRunners(runners) - (this.stories?.missing(hour * HOUR) ?? 0);
      return (PEAK * atWork * 3600) / (tasksPerDay * work((kind) => hours[kind].shareOf(hour)));
    });
    return Math.min(SLOWEST, ...paces);
  }
}
