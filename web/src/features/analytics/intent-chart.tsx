import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { intentColorOf } from '../../components/charts/chart-colors.ts';
import { type LinkOf, tabulateItems } from '../../components/charts/chart-data.ts';
import { ChartPanel } from '../../components/charts/chart-panel.tsx';
import { ShareChart } from '../../components/charts/lazy-charts.tsx';
import { SegmentedSwitch } from '../../components/ui/segmented-switch.tsx';
import { formatLabel } from '../../lib/format-label.ts';
import { type Scope, usageFiguresQuery } from './queries.ts';
import { RowsLink, rowsOf, useOpenRows } from './rows-link.tsx';
import { intentKinds } from './switches.ts';

const heading = 'Intent Classification Distribution';

/** Requests by intent. */
export function IntentChart({ scope }: { scope: Scope }) {
  const { data, isPending } = useQuery(usageFiguresQuery(scope));
  const [kind, setKind] = useState<(typeof intentKinds)[number]['value']>('pie');
  const openRows = useOpenRows();
  const intents = Object.entries(data?.intent_distribution ?? {});
  const items = intents.map(([intent, value]) => ({
    label: formatLabel(intent),
    value,
    color: intentColorOf(intent),
  }));
  const placeOf = (place: number) => rowsOf(scope, { intent: intents[place]?.[0] ?? '' });
  const linkOf: LinkOf = (place, name) => <RowsLink place={placeOf(place)}>{name}</RowsLink>;
  return (
    <ChartPanel
      heading={heading}
      switches={<SegmentedSwitch label="Chart type" options={intentKinds} value={kind} onChange={setKind} />}
      table={tabulateItems(items, { label: 'Intent', value: 'Requests' })}
      emptyText="No intent data available"
      isLoading={isPending}
      linkOf={linkOf}
    >
      <ShareChart
        label={heading}
        kind={kind}
        items={items}
        unit="requests"
        labelLimit={20}
        linkOf={linkOf}
        onPick={(place) => openRows(placeOf(place))}
      />
    </ChartPanel>
  );
}
