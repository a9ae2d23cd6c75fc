import type { Key } from 'react';

interface DotProps {
  key?: Key | null | undefined;
  cx?: number | undefined;
  cy?: number | undefined;
  index?: number;
  points?: readonly { value?: unknown }[];
  stroke?: string | undefined;
}

/** A dot where a line would not show: at a value between two gaps. */
export function renderLoneDot({ key, cx, cy, index = 0, points = [], stroke }: DotProps) {
  const isGap = (place: number) => typeof points[place]?.value !== 'number';
  const isLone = !isGap(index) && isGap(index - 1) && isGap(index + 1);
  return isLone ? <circle key={key} cx={cx} cy={cy} r={3} fill={stroke} /> : <g key={key} />;
}

interface LastValueProps {
  lastIndex: number;
  format: (value: number) => string;
  index?: number;
  x?: number | string;
  y?: number | string;
  value?: unknown;
}

/** Label of the newest value, next to its point. Recharts calls it for every point. */
export function LastValue({ lastIndex, format, index, x, y, value }: LastValueProps) {
  if (index !== lastIndex || typeof value !== 'number') return null;
  return (
    <text x={Number(x) + 8} y={y} dy="0.35em" fontSize={12} fontWeight={600} fill="var(--text)">
      {format(value)}
    </text>
  );
}
