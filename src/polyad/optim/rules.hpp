#pragma once
// The update rules, one source file each. All of them: g the gradient, a the parameter, all operations
// elementwise, t the number of steps including this one; a fixed segment keeps its parameters and its
// moments; parameters outside every segment are left alone; the bounds close each step.

#include <polyad/optim/optimizer.hpp>

namespace polyad {

/// Momentum (Polyak's heavy ball): v = mu v + g; a -= rate v. The velocity is a plain sum, not a mean: in the
/// long run a constant gradient moves by rate / (1 - mu) a step.
std::unique_ptr<Optimizer> make_sgd(const OptimizerOptions& options);

/// Kingma & Ba (2015), Alg. 4 of the paper: B = b1 B + (1-b1) g; C = b2 C + (1-b2) g^2; B^ = B / (1 - b1^t);
/// C^ = C / (1 - b2^t); a -= rate B^ / sqrt(C^ + eps) (paper), or rate B^ / (sqrt(C^) + eps) (usual).
std::unique_ptr<Optimizer> make_adam(const OptimizerOptions& options);

/// Reddi, Kale & Kumar (2018): Adam whose denominator uses the largest C so far, P = max(P, C). The authors
/// leave out bias correction; here both moments are corrected as in Adam, after the maximum: C^ = P / (1 -
/// b2^t). So it equals Adam for as long as C grows, and its first steps are not sqrt(1-b2)/(1-b1) times too
/// large. Same two forms as Adam.
std::unique_ptr<Optimizer> make_amsgrad(const OptimizerOptions& options);

/// Duchi, Hazan & Singer (2011): C += g^2; a -= rate g / (sqrt(C) + eps).
std::unique_ptr<Optimizer> make_adagrad(const OptimizerOptions& options);

/// Usage error where the spans, the moments or a segment do not fit together. `used` are the moments the rule
/// needs.
void check_step(std::span<const double> parameters, std::span<const double> gradient,
                std::initializer_list<const AlignedVector<double>*> used, std::span<const Segment> segments);

}  // namespace polyad
