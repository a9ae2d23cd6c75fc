import { type ModelWinRate, winRateVotesMin } from '@sluice/contract';
import { useQuery } from '@tanstack/react-query';
import { Failure } from '#components/ui/notice.tsx';
import { SkeletonLines } from '#components/ui/skeleton.tsx';
import { describeFailure } from '#lib/describe-failure.ts';
import { formatUsdExact } from '#lib/format-money.ts';
import { formatCount, formatShare } from '#lib/format-number.ts';
import { winRatesQuery } from './queries.ts';
import styles from './win-rates.module.css';

export function WinRates() {
  const answer = useQuery(winRatesQuery);
  const { data: rates } = answer;
  const failure = describeFailure(answer, 'The win rates could not be loaded');
  return (
    <section className={styles.panel} aria-label="Win rates">
      <h2>Win rates</h2>
      {failure && <Failure {...failure} />}
      {!rates && !failure && <SkeletonLines count={2} />}
      {rates?.length === 0 && (
        <p className="quiet">
          No votes yet. Start a comparison as a blind vote: you judge the answers before you see the models.
        </p>
      )}
      {rates && rates.length > 0 && (
        <>
          <RateTable rates={rates} />
          <p className={styles.note}>
            The share of blind votes that a model has won, over all users of this tenant. A tie counts as half
            a win. If all answers are bad, no model wins. The range is the Wilson interval (confidence level
            95%).
            {rates.some(hasTooFew) && ` No rate is shown below ${winRateVotesMin} votes.`}
          </p>
        </>
      )}
    </section>
  );
}

const hasTooFew = ({ votes }: ModelWinRate) => votes < winRateVotesMin;

function RateTable({ rates }: { rates: readonly ModelWinRate[] }) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: scrollable content must be reachable by keyboard
    <section className={styles.scroll} tabIndex={0} aria-label="Win rates by model">
      <table className={`num ${styles.table}`}>
        <thead>
          <tr>
            <th scope="col">Model</th>
            <th scope="col">Win rate</th>
            <th scope="col">95 % range</th>
            <th scope="col">Votes</th>
            <th scope="col">Cost per answer</th>
            <th scope="col">Total cost</th>
          </tr>
        </thead>
        <tbody>
          {rates.map((rate) => (
            <RateRow key={`${rate.provider_registry_id}/${rate.model_name}`} rate={rate} />
          ))}
        </tbody>
      </table>
    </section>
  );
}

function RateRow({ rate }: { rate: ModelWinRate }) {
  const { provider_name, model_name, votes, win_rate, win_rate_low, win_rate_high } = rate;
  return (
    <tr>
      <th scope="row">
        <code>{model_name}</code> <span className="quiet">{provider_name}</span>
      </th>
      {hasTooFew(rate) ? (
        <td colSpan={2} className={styles.few}>
          Too few votes: {votes} of {winRateVotesMin}
        </td>
      ) : (
        <>
          <td>{formatShare(win_rate)}</td>
          <td>
            <span className={styles.range}>
              <span className={styles.track} aria-hidden="true">
                <span
                  className={styles.interval}
                  style={{
                    insetInlineStart: `${win_rate_low * 100}%`,
                    width: `${(win_rate_high - win_rate_low) * 100}%`,
                  }}
                />
                <span className={styles.rate} style={{ insetInlineStart: `${win_rate * 100}%` }} />
              </span>
              {formatShare(win_rate_low)} to {formatShare(win_rate_high)}
            </span>
          </td>
        </>
      )}
      <td>{formatCount(votes)}</td>
      <td>{formatCost(rate.average_cost_per_answer)}</td>
      <td>{formatCost(rate.total_cost)}</td>
    </tr>
  );
}

const formatCost = (cost: number | null) => (cost === null ? 'No price' : formatUsdExact(cost, 6));
