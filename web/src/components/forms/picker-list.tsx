import { lazy, Suspense } from 'react';
import { loadPart } from '../../lib/load-part.ts';
import { usePreload } from '../../lib/use-preload.ts';
import type { PickerOfferProps } from './picker-offer.tsx';

const loadOffer = () => import('./picker-offer.tsx');
const PickerOffer = lazy(loadPart(async () => ({ default: (await loadOffer()).PickerOffer })));

/** What a picker offers while it is open; stands beside its field, and no first load carries it. */
export function PickerList(props: PickerOfferProps) {
  usePreload(loadOffer);
  return <Suspense>{props.picker.isOpen && <PickerOffer {...props} />}</Suspense>;
}
