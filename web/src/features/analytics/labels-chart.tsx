import { useInViewport } from '@mantine/hooks';
import type { TopLabel } from '@sluice/contract';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { type Item, type LinkOf, tabulateItems } from '#components/charts/chart-data.ts';
import { ChartPanel } from '#components/charts/chart-panel.tsx';
import { CategoryBars } from '#components/charts/lazy-charts.tsx';
import { SegmentedSwitch } from '#components/ui/segmented-switch.tsx';
import { formatUsd } from '#lib/format-money.ts';
import { formatCount, formatShare, formatTokens } from '#lib/format-number.ts';
import { useEverTrue } from '#lib/lazy-part.tsx';
import { type Scope, topLabelsQuery, usedLabelsQuery } from './queries.ts';
import { RowsLink, rowsOf, useOpenRows } from './rows-link.tsx';
import { type Metric, measureOf, metricFormats, metrics } from './switches.ts';

const heading = 'Usage by Label';
const labelLimit = 15;
/** Maximum number of label names next to the heading. */
const namesMax = 6;

/**
 * Renders nothing if no request of the period has labels. The chart is the last of the page, so labels are loaded
 * when it scrolls into view.
 */
export function LabelsChart({ scope }: { scope: Scope }) {
  const { ref, inViewport } = useInViewport<HTMLDivElement>();
  const isSeen = useEverTrue(inViewport);
  const { data: used = [] } = useQuery({ ...usedLabelsQuery(scope.period), enabled: isSeen });
  const [chosen, setChosen] = useState<string>();
  const names = used.slice(0, namesMax).map(({ name }) => name);
  const name = names.find((one) => one === chosen) ?? names[0];
  if (name === undefined) return <div ref={ref} />;
  return <ValuesChart scope={scope} name={name} names={names} onChoose={setChosen} />;
}

interface ValuesChartProps {
  scope: Scope;
  name: string;
  names: readonly string[];
  onChoose: (name: string) => void;
}

function ValuesChart({ scope, name, names, onChoose }: ValuesChartProps) {
  const [metric, setMetric] = useState<Metric>('cost');
  const { data: values = [], isPending } = useQuery(topLabelsQuery(scope, name, metric));
  const openRows = useOpenRows();
  const items = values.map((value) => toItem(value, metric));
  const placeOf = (place: number) => rowsOf(scope, { label: `${name}=${values[place]?.value ?? ''}` });
  const linkOf: LinkOf = (place, text) => <RowsLink place={placeOf(place)}>{text}</RowsLink>;
  return (
    <ChartPanel
      heading={heading}
      switches={
        <>
          {names.length > 1 && (
            <SegmentedSwitch
              label="Label"
              options={names.map((one) => ({ value: one, label: one }))}
              value={name}
              onChange={onChoose}
            />
          )}
          <SegmentedSwitch label="Metric" options={metrics} value={metric} onChange={setMetric} />
        </>
      }
      table={tabulateItems(items, { label: name, value: 'Usage' }, metricFormats[metric].tick)}
      emptyText="No usage with this label"
      isLoading={isPending}
      linkOf={linkOf}
    >
      <CategoryBars
        label={heading}
        items={items}
        labelLimit={labelLimit}
        formatValue={metricFormats[metric].tick}
        onPick={(place: number) => openRows(placeOf(place))}
      />
    </ChartPanel>
  );
}

const toItem = (row: TopLabel, metric: Metric): Item => ({
  label: row.value === '' ? '(empty)' : row.value,
  value: measureOf(row, metric),
  color: 'var(--chart-1)',
  share: row.percentage / 100,
  details: [
    ['Requests', formatCount(row.total_requests)],
    ['Tokens', formatTokens(row.total_tokens)],
    ['Cost', formatUsd(row.cost_usd)],
    ['Users', formatCount(row.unique_users)],
    ['Share', formatShare(row.percentage / 100)],
  ],
});
