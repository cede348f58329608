import { oneOf, wholeNumber } from './fault-input';
import { HttpError } from './http-error';
import { taskRecord } from './records';
import { taskChanges } from './task-changes';
import type { Task } from './tasks';
import type { World } from './world';

/** What changeTask takes. */
export const TASK_INPUT = '"change" and either "id" or "row"';

/** Changes a task as a test asks for, and gives it as it is then; one that was removed, as it was. */
export function changeTask(world: World, { change, id, row }: Record<string, unknown>) {
  const wanted = oneOf('change', change, taskChanges);
  const task = find(world, id, row);
  if (!world.changeTask(task, wanted)) {
    throw new HttpError(
      409,
      `change: task ${task.id} is ${taskRecord(world, task).state}, "${wanted}" is nothing for it`
    );
  }
  return taskRecord(world, task);
}

function find(world: World, id: unknown, row: unknown): Task {
  if ((id === undefined) === (row === undefined)) {
    throw new HttpError(400, `Expected a JSON object with ${TASK_INPUT}`);
  }
  const window = world.tasks(world.options.historyDays);
  const tasks = window.slice(0, window.total);
  const task = row === undefined ? tasks.find((one) => one.id === id) : tasks.at(rowOf(row));
  if (task === undefined) {
    throw new HttpError(404, row === undefined ? `No task has the id ${id}` : `No task is in row ${row}`);
  }
  return task;
}

/** Rows are counted from the newest task on, which is 0. */
function rowOf(row: unknown): number {
  return wholeNumber('row', row, 0, Number.MAX_SAFE_INTEGER);
}
