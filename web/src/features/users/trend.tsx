import type { User } from '@sluice/contract';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { scoreLevelLines, tabulateSeries } from '#components/charts/chart-data.ts';
import { ChartPanel } from '#components/charts/chart-panel.tsx';
import { TimeChart } from '#components/charts/lazy-charts.tsx';
import { DeviationScore } from '#components/ui/deviation-score.tsx';
import { Failure } from '#components/ui/notice.tsx';
import { nameDeviationEvent } from '#lib/describe-deviation.ts';
import { describeFailure } from '#lib/describe-failure.ts';
import { formatScore } from '#lib/format-number.ts';
import { userTrendQuery } from './standing-queries.ts';

const heading = 'Deviation';
const heightPx = 132;

export function ScoreTrend({ user }: { user: User }) {
  const answer = useQuery(userTrendQuery(user.id));
  const { dates = [], series: [own] = [], events = [] } = answer.data ?? {};
  const failure = describeFailure(answer, 'Unknown error', 'Error loading the scores of the user');
  const scores = new Map(own?.days.map((day) => [day.date, day.average_deviation_score]));
  const series = [
    { label: 'Daily mean', color: 'var(--chart-1)', values: dates.map((date) => scores.get(date) ?? null) },
  ];
  const markers = events.map((event) => ({ day: event.date, text: nameDeviationEvent(event) }));
  if (failure && answer.data === undefined) return <Failure {...failure} />;
  return (
    <ChartPanel
      heading={heading}
      unit="daily mean, 0 to 1, 30 days"
      footer={<ScoreWithCause user={user} />}
      table={tabulateSeries(own ? dates : [], series, formatScore, markers)}
      emptyText="No scores in the last 30 days"
      isLoading={answer.isPending}
      height={heightPx}
    >
      <TimeChart
        label={`${heading} of ${user.name} over 30 days`}
        kind="line"
        days={dates}
        series={series}
        formatValue={formatScore}
        formatTick={formatScore}
        markers={markers}
        levels={scoreLevelLines}
        max={1}
      />
    </ChartPanel>
  );
}

function ScoreWithCause({ user: { id, deviation_score } }: { user: User }) {
  return (
    <span>
      Now <DeviationScore score={deviation_score} />{' '}
      <Link to="/admin/logs" search={{ user: id }}>
        Show the causes
      </Link>
    </span>
  );
}
