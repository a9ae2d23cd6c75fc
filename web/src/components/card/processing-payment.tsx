import { SkeletonLines } from '../ui/skeleton.tsx';

export function ProcessingPayment() {
  return (
    <div role="status">
      <p>Processing payment...</p>
      <SkeletonLines count={2} />
    </div>
  );
}
