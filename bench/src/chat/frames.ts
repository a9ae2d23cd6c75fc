import { percentile } from '../report/statistics.ts';

/** Runs in the browser: records when frames are drawn, from now on. */
export const countFrames = `
  window.frameTimes = [];
  const note = (atMs) => { frameTimes.push(atMs); requestAnimationFrame(note); };
  requestAnimationFrame(note);`;

export interface FrameFigures {
  readonly framesPerSecond: number;
  readonly p95Ms: number;
  readonly longestMs: number;
}

export function summariseFrames(times: readonly number[]): FrameFigures {
  const deltas = times.slice(1).map((atMs, index) => atMs - (times[index] ?? atMs));
  const totalMs = (times.at(-1) ?? 0) - (times[0] ?? 0);
  return {
    framesPerSecond: totalMs === 0 ? 0 : (deltas.length / totalMs) * 1000,
    p95Ms: percentile(deltas, 0.95),
    longestMs: Math.max(0, ...deltas),
  };
}
