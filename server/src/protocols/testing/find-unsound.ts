import type { StreamEvent } from '../canonical/stream-event.ts';

/** Blocks start, grow and end one at a time, and nothing follows an error. */
export function findUnsound(events: readonly StreamEvent[]): string | null {
  const open = new Map<number, number>();
  const begun = new Map<number, number>();
  const finished = new Set<number>();
  for (const [index, event] of events.entries()) {
    const where = `event ${index}, ${JSON.stringify(event)}`;
    if (event.type === 'error' && index !== events.length - 1) return `${where}, is not the last`;
    if (event.type === 'finish') {
      if (finished.has(event.choice)) return `${where}, is the second finish of its choice`;
      finished.add(event.choice);
    }
    if (!('block' in event)) continue;
    if (event.type.endsWith('-start') || event.type === 'image') {
      if (open.has(event.choice)) return `${where}, starts while another block is open`;
      if (event.block !== (begun.get(event.choice) ?? 0)) return `${where}, breaks the numbering`;
      begun.set(event.choice, event.block + 1);
      open.set(event.choice, event.block);
    } else if (open.get(event.choice) !== event.block) return `${where}, belongs to no open block`;
    if (event.type.endsWith('-end') || event.type === 'image') open.delete(event.choice);
  }
  return open.size === 0 ? null : 'a block is not closed';
}
