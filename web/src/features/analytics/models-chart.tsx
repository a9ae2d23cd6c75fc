import type { TopModel } from '@sluice/contract';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { type Item, type LinkOf, tabulateItems } from '#components/charts/chart-data.ts';
import { ChartPanel } from '#components/charts/chart-panel.tsx';
import { CategoryBars, ShareChart } from '#components/charts/lazy-charts.tsx';
import { SegmentedSwitch } from '#components/ui/segmented-switch.tsx';
import { providerColorOf } from '#lib/chart-colors.ts';
import { formatCount, formatShare, formatTokens } from '#lib/format-number.ts';
import { providerNameOf } from '#lib/provider-registry.ts';
import { type Scope, topModelsQuery } from './queries.ts';
import { RowsLink, rowsOf, useOpenRows } from './rows-link.tsx';
import { barFirstKinds } from './switches.ts';

const heading = 'Top Models Used';
const labelLimit = 15;

export function ModelsChart({ scope }: { scope: Scope }) {
  const { data: models = [], isPending } = useQuery(topModelsQuery(scope));
  const [kind, setKind] = useState<(typeof barFirstKinds)[number]['value']>('bar');
  const openRows = useOpenRows();
  const items = models.map((model) => toItem(model, models));
  const placeOf = (place: number) => {
    const { model = '', provider_key = '' } = models[place] ?? {};
    return rowsOf(scope, { model, provider: provider_key });
  };
  const linkOf: LinkOf = (place, name) => <RowsLink place={placeOf(place)}>{name}</RowsLink>;
  const chart = { label: heading, items, labelLimit, onPick: (place: number) => openRows(placeOf(place)) };
  return (
    <ChartPanel
      heading={heading}
      switches={
        <SegmentedSwitch label="Chart type" options={barFirstKinds} value={kind} onChange={setKind} />
      }
      table={tabulateItems(items, { label: 'Model', value: 'Requests' })}
      emptyText="No model usage data available"
      isLoading={isPending}
      linkOf={linkOf}
    >
      {kind === 'bar' ? (
        <CategoryBars {...chart} />
      ) : (
        <ShareChart {...chart} kind={kind} unit="requests" linkOf={linkOf} />
      )}
    </ChartPanel>
  );
}

/** Adds the provider's name if several serve a model of that name. */
function nameModel({ model, provider_key }: TopModel, models: readonly TopModel[]): string {
  const isShared = models.filter((other) => other.model === model).length > 1;
  return isShared ? `${model} · ${providerNameOf(provider_key)}` : model;
}

const toItem = (model: TopModel, models: readonly TopModel[]): Item => ({
  label: nameModel(model, models),
  value: model.total_requests,
  color: providerColorOf(model.provider_key),
  share: model.percentage / 100,
  details: [
    ['Requests', formatCount(model.total_requests)],
    ['Tokens', formatTokens(model.total_tokens)],
    ['Users', formatCount(model.unique_users)],
    ['Share', formatShare(model.percentage / 100)],
  ],
});
