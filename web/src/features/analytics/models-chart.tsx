import type { TopModel } from '@sluice/contract';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { type Item, type LinkOf, tabulateItems } from '#components/charts/chart-data.ts';
import { ChartPanel } from '#components/charts/chart-panel.tsx';
import { CategoryBars, ShareChart } from '#components/charts/lazy-charts.tsx';
import { SegmentedSwitch } from '#components/ui/segmented-switch.tsx';
import { providerColorOf } from '#lib/chart-colors.ts';
import { formatUsd } from '#lib/format-money.ts';
import { formatCount, formatShare, formatTokens } from '#lib/format-number.ts';
import { providerNameOf } from '#lib/provider-registry.ts';
import { type Scope, topModelsQuery } from './queries.ts';
import { RowsLink, rowsOf, useOpenRows } from './rows-link.tsx';
import { barFirstKinds, type Metric, measureOf, metricFormats, metrics } from './switches.ts';

const heading = 'Top Models Used';
const labelLimit = 15;

export function ModelsChart({ scope }: { scope: Scope }) {
  const [metric, setMetric] = useState<Metric>('requests');
  const { data: models = [], isPending } = useQuery(topModelsQuery(scope, metric));
  const [kind, setKind] = useState<(typeof barFirstKinds)[number]['value']>('bar');
  const openRows = useOpenRows();
  const items = models.map((model) => toItem(model, models, metric));
  const placeOf = (place: number) => {
    const { model = '', provider_key = '' } = models[place] ?? {};
    return rowsOf(scope, { model, provider: provider_key });
  };
  const linkOf: LinkOf = (place, name) => <RowsLink place={placeOf(place)}>{name}</RowsLink>;
  const chart = { label: heading, items, onPick: (place: number) => openRows(placeOf(place)) };
  return (
    <ChartPanel
      heading={heading}
      switches={
        <>
          <SegmentedSwitch label="Metric" options={metrics} value={metric} onChange={setMetric} />
          <SegmentedSwitch label="Chart type" options={barFirstKinds} value={kind} onChange={setKind} />
        </>
      }
      table={tabulateItems(items, { label: 'Model', value: 'Requests' })}
      emptyText="No model usage data available"
      isLoading={isPending}
      linkOf={linkOf}
    >
      {kind === 'bar' ? (
        <CategoryBars {...chart} labelLimit={labelLimit} formatValue={metricFormats[metric].tick} />
      ) : (
        <ShareChart
          {...chart}
          kind={kind}
          unit={metric}
          formatValue={metricFormats[metric].tick}
          linkOf={linkOf}
        />
      )}
    </ChartPanel>
  );
}

/** Adds the provider's name if several providers serve a model with the same name. */
function nameModel({ model, provider_key }: TopModel, models: readonly TopModel[]): string {
  const isShared = models.filter((other) => other.model === model).length > 1;
  return isShared ? `${model} · ${providerNameOf(provider_key)}` : model;
}

const toItem = (model: TopModel, models: readonly TopModel[], metric: Metric): Item => ({
  label: nameModel(model, models),
  value: measureOf(model, metric),
  color: providerColorOf(model.provider_key),
  share: model.percentage / 100,
  details: [
    ['Requests', formatCount(model.total_requests)],
    ['Tokens', formatTokens(model.total_tokens)],
    ['Cost', formatUsd(model.cost_usd)],
    ['Users', formatCount(model.unique_users)],
    ['Share', formatShare(model.percentage / 100)],
  ],
});
