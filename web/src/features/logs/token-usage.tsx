import type { CostPart, LogEntry } from '@sluice/contract';
import { AlignedAmount } from '#components/ui/aligned-amount.tsx';
import { formatUsd } from '#lib/format-money.ts';
import { formatCount } from '#lib/format-number.ts';
import { describeCost } from './describe-entry.ts';
import { Card } from './figures.tsx';
import statsStyles from './stats.module.css';
import styles from './token-usage.module.css';

export function LogTokenUsage({ log }: { log: LogEntry }) {
  const { cache_read_tokens: cached, cost_parts: parts, reasoning_tokens: reasoning } = log;
  return (
    <section aria-label="Token Usage">
      <h3>Token Usage</h3>
      <dl className={`num ${statsStyles.stats}`}>
        <Card name="Prompt Tokens" more={cached > 0 && `${formatCount(cached)} from the cache`}>
          {formatCount(log.prompt_tokens)}
        </Card>
        <Card name="Completion Tokens" more={reasoning > 0 && `${formatCount(reasoning)} for reasoning`}>
          {formatCount(log.completion_tokens)}
        </Card>
        <Card name="Total Tokens" more={sources[log.usage_source]}>
          {formatCount(log.openai_tokens_used)}
        </Card>
        <Card name="Cost" more={log.cost === null && log.openai_tokens_used > 0 && 'No price is known'}>
          {describeCost(log)}
        </Card>
      </dl>
      {parts && parts.length > 0 && <CostTable parts={parts} total={describeCost(log)} />}
    </section>
  );
}

/** Sources of token counts other than the provider's report. */
const sources: Readonly<Partial<Record<LogEntry['usage_source'], string>>> = {
  partial: 'Partly estimated',
  estimated: 'Estimated',
  capped: 'Capped',
};

const partNames: Readonly<Record<CostPart['part'], string>> = {
  input: 'Input',
  cache_read: 'Cached input',
  cache_write: 'Cache writes',
  output: 'Output',
  reasoning: 'Reasoning',
  request: 'Per request',
  other: 'Audio, images and hour-long caching',
};

function CostTable({ parts, total }: { parts: readonly CostPart[]; total: string }) {
  return (
    <table className={`num ${styles.parts}`} aria-label="Cost by part">
      <thead>
        <tr>
          <th scope="col">Cost of</th>
          <th scope="col">Tokens</th>
          <th scope="col">Cost</th>
        </tr>
      </thead>
      <tbody>
        {parts.map(({ part, tokens, cost }) => (
          <tr key={part}>
            <th scope="row">{partNames[part]}</th>
            <td>{tokens === null ? '–' : formatCount(tokens)}</td>
            <td>
              <AlignedAmount text={formatUsd(cost)} decimalsMax={6} />
            </td>
          </tr>
        ))}
      </tbody>
      <tfoot>
        <tr>
          <th scope="row">Total</th>
          <td />
          <td>
            <AlignedAmount text={total} decimalsMax={6} />
          </td>
        </tr>
      </tfoot>
    </table>
  );
}
