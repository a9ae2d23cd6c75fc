import { Tooltip } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Info } from 'lucide-react';
import { IconButton } from '../../components/ui/icon-button.tsx';
import { Notice } from '../../components/ui/notice.tsx';
import { dayIn } from '../../lib/format-day.ts';
import { useNow } from '../../lib/use-now.ts';
import { forecastQuery } from './queries.ts';
import { sayForecast, sayMethod, sayRange } from './sentences.ts';

const tooltipPx = 300;

/** Forecast of when the user's monthly quota is reached, or nothing if there is no forecast. */
export function ForecastNotice({ timeZone }: { timeZone: string }) {
  const { data } = useQuery(forecastQuery);
  const nowMs = useNow();
  const forecast = data?.forecast;
  if (!forecast) return null;
  const today = dayIn(timeZone, nowMs);
  return (
    <section aria-label="Forecast">
      <Notice
        kind={forecast.reaches_on === null ? 'ok' : 'warn'}
        title={sayForecast(forecast, today)}
        action={
          <Tooltip
            label={sayMethod(forecast)}
            multiline
            position="bottom-end"
            w={tooltipPx}
            events={{ hover: true, focus: true, touch: true }}
          >
            <IconButton label="How this is forecast" icon={Info} />
          </Tooltip>
        }
      >
        {sayRange(forecast, today)}
      </Notice>
    </section>
  );
}
