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
