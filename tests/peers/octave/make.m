% Makes the files beside it: run by hand, once, with Octave 7.3 ("octave-cli make.m" in this folder), because Octave takes
% 250 MB that every test machine would otherwise have to install. test_peers.py knows what they hold.
X = reshape(1:24, 2, 3, 4) / 8;
X(2, 1, 3) = NaN;
save('-v7', 'dense-v7.mat', 'X');
save('-v6', 'dense-v6.mat', 'X');
X = int16(reshape(-11:12, 2, 3, 4));
save('-v7', 'int16.mat', 'X');
S = sparse([1 3 3], [2 1 4], [1.5 -2 1e-300], 3, 5);
save('-v7', 'sparse-matrix.mat', 'S');
clear X S
X.subs = [1 1 2; 3 4 1];
X.vals = [2; 5];
X.size = [3 4 2];
X.mode_names = {'day', 'Straße', 'hour'};
X.labels = {{'Mon', 'Tue', 'Wed'}, {}, {'00:00', '01:00'}};
save('-v7', 'sptensor.mat', 'X');
clear X
X.data = reshape(1:24, 2, 3, 4);
X.size = [2 3 4];
save('-v7', 'tensor.mat', 'X');
M.lambda = [2; 0.5];
M.u = {[1 2; 3 4], [5 6; 7 8; 9 10], [0.25 -1; 1e300 1e-300]};
save('-v7', 'ktensor.mat', 'M');
X = [1 2 3; 4 5 6];
save('-text', 'text.mat', 'X');
save('-hdf5', 'hdf5.mat', 'X');
