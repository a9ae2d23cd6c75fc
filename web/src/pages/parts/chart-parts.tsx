import { PartGroup } from './part.tsx';

export function ChartParts() {
  return <PartGroup title="Charts">{null}</PartGroup>;
}
