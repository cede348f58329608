/** As the specification has `dateCreation`: ISO 8601 with milliseconds and a UTC offset. */
export function offsetTime(time: number): string {
  return localTime(time) + '+00:00';
}

/** As the specification has an automation's `date`: milliseconds, no offset. It is UTC. */
export function localTime(time: number): string {
  return new Date(time).toISOString().slice(0, -1);
}
