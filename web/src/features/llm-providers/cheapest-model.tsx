import { ApiError } from '@sluice/contract';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { NumberField } from '../../components/forms/number-field.tsx';
import { Failure } from '../../components/ui/failure.tsx';
import { describeFailure } from '../../lib/describe-failure.ts';
import { formatRate } from '../../lib/format-money.ts';
import { formatTokens } from '../../lib/format-number.ts';
import { messageOf } from '../../lib/message-of.ts';
import { providerNameOf } from '../../lib/provider-registry.ts';
import styles from './cheapest-model.module.css';
import { cheapestModelQuery } from './queries.ts';

/** Finds the cheapest enabled model with a given context size. */
export function CheapestModel() {
  const [minTokens, setMinTokens] = useState<number | null>(4_000);
  const answer = useQuery({ ...cheapestModelQuery(minTokens ?? 0), enabled: minTokens !== null });
  const { data, error } = answer;
  const isNone = error instanceof ApiError && error.status === 404;
  const failure = isNone ? null : describeFailure(answer, 'The cheapest model could not be found');
  return (
    <section className={styles.cheapest} aria-label="Cheapest model that fits">
      <NumberField
        label="Cheapest model that fits, in tokens"
        emptyMeans="unlimited"
        placeholder="4000"
        step={1_000}
        value={minTokens ?? ''}
        onChange={(value) => setMinTokens(typeof value === 'number' ? value : null)}
      />
      <p role="status" className={styles.answer}>
        {minTokens !== null && data && !error && (
          <>
            <strong>
              <code>{data.model}</code>
            </strong>{' '}
            <span className="num quiet">
              {providerNameOf(data.provider)}, {formatRate(data.price.input)} in and{' '}
              {formatRate(data.price.output)} out for a million tokens
              {data.max_tokens !== null && `, holds ${formatTokens(data.max_tokens)}`}
            </span>
          </>
        )}
        {isNone && <span className="quiet">{messageOf(error, 'No model was found')}</span>}
      </p>
      {failure && <Failure {...failure} />}
    </section>
  );
}
