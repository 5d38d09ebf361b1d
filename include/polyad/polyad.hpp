#pragma once
// All of polyad: patterns in multi-way data, by generalized CP tensor decomposition.
//
//   tensor.hpp     data: dense, sparse, borrowed, with labels          loss.hpp      what is minimised; losses of your own
//   options.hpp    everything a fit can be asked for                   progress.hpp  watching and interrupting a fit
//   fit.hpp        plan and fit                                        model.hpp     what is found: weights and factors
//   files.hpp      tensors and models in files                         evaluate.hpp  how well a model explains data
//   report.hpp     tables, pictures, pages                             error.hpp     what is thrown
//
// README.md shows a first program, examples/ has complete ones.

#include <polyad/error.hpp>
#include <polyad/evaluate.hpp>
#include <polyad/files.hpp>
#include <polyad/fit.hpp>
#include <polyad/loss.hpp>
#include <polyad/model.hpp>
#include <polyad/options.hpp>
#include <polyad/progress.hpp>
#include <polyad/report.hpp>
#include <polyad/select.hpp>
#include <polyad/tensor.hpp>
#include <polyad/version.hpp>
