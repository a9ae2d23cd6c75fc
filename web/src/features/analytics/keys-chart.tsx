import type { TopApiKey } from '@sluice/contract';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { type Item, tabulateItems } from '#components/charts/chart-data.ts';
import { ChartLegend } from '#components/charts/chart-legend.tsx';
import { ChartPanel } from '#components/charts/chart-panel.tsx';
import { CategoryBars } from '#components/charts/lazy-charts.tsx';
import { useIsNear } from '#components/charts/near-view.tsx';
import { SegmentedSwitch } from '#components/ui/segmented-switch.tsx';
import { entityColorOf } from '#lib/chart-colors.ts';
import { formatUsd } from '#lib/format-money.ts';
import { formatCount, formatShare, formatTokens } from '#lib/format-number.ts';
import { formatLastUsed } from '#lib/format-time.ts';
import { useNow } from '#lib/use-now.ts';
import { type Scope, topApiKeysQuery } from './queries.ts';
import { RowsLink, rowsOf, useOpenRows } from './rows-link.tsx';
import { type Metric, measureOf, metricFormats, metrics, orientations } from './switches.ts';

const heading = 'Top API Keys Usage';
const labelLimits = { vertical: 15, horizontal: 20 };

/** Includes keys used under a team's grants. */
export function KeysChart({ scope }: { scope: Scope }) {
  const [metric, setMetric] = useState<Metric>('requests');
  const [direction, setDirection] = useState<(typeof orientations)[number]['value']>('vertical');
  const { data: keys = [], isPending } = useQuery({
    ...topApiKeysQuery(scope, metric),
    enabled: useIsNear(),
  });
  const openRows = useOpenRows();
  const nowMs = useNow();
  const items = keys.map((key) => toItem(key, metric, nowMs));
  const placeOf = (place: number) => {
    const { entity_id: id = 0, entity_type = 'user' } = keys[place] ?? {};
    return rowsOf(scope, { ...(entity_type === 'team' ? { team: id } : { user: id }), key: true });
  };
  return (
    <ChartPanel
      heading={heading}
      switches={
        <>
          <SegmentedSwitch label="Metric" options={metrics} value={metric} onChange={setMetric} />
          <SegmentedSwitch
            label="Orientation"
            options={orientations}
            value={direction}
            onChange={setDirection}
          />
        </>
      }
      table={tabulateItems(items, { label: 'Key of', value: 'Requests' })}
      emptyText="No API key usage data available"
      isLoading={isPending}
      linkOf={(place, name) => (
        <>
          <RowsLink place={placeOf(place)}>{name}</RowsLink> ({keys[place]?.entity_type})
        </>
      )}
      {...(keys.length > 0 && { footer: <ChartLegend entries={owners} /> })}
    >
      <CategoryBars
        label={heading}
        items={items}
        direction={direction}
        labelLimit={labelLimits[direction]}
        suffixOf={(item) => ` (${keys[items.indexOf(item)]?.entity_type})`}
        formatValue={metricFormats[metric].tick}
        onPick={(place) => openRows(placeOf(place))}
      />
    </ChartPanel>
  );
}

const owners = [
  { label: 'User', color: entityColorOf('user') },
  { label: 'Team', color: entityColorOf('team') },
];

const toItem = (key: TopApiKey, metric: Metric, nowMs: number): Item => ({
  label: key.entity_name,
  value: measureOf(key, metric),
  color: entityColorOf(key.entity_type),
  share: key.percentage / 100,
  details: [
    ['Requests', formatCount(key.total_requests)],
    ['Tokens', formatTokens(key.total_tokens)],
    ['Cost', formatUsd(key.cost_usd)],
    ['Share', formatShare(key.percentage / 100)],
    ['Last Used', formatLastUsed(key.last_used, nowMs)],
  ],
});
