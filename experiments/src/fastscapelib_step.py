"""Median time of one step of fastscapelib (route, accumulate, erode), in ms: sinks left, then resolved."""
import sys
import time

import fastscapelib as fs
import numpy as np

side = int(sys.argv[1])
for resolved in (False, True):
    grid = fs.RasterGrid([side, side], [50.0, 50.0], fs.NodeStatus.FIXED_VALUE)
    graph = fs.FlowGraph(grid, [fs.SingleFlowRouter()] + ([fs.MSTSinkResolver()] if resolved else []))
    height = np.random.Generator(np.random.PCG64(1)).uniform(0, 1, size=(side, side))
    uplift = np.full((side, side), 5e-4)
    uplift[0] = uplift[-1] = 0
    uplift[:, 0] = uplift[:, -1] = 0
    eroder = fs.SPLEroder(graph, k_coef=5.61e-7, area_exp=0.5, slope_exp=1, tolerance=1e-5)
    times = []
    for _ in range(9):
        start = time.perf_counter()
        height += 2.5e5 * uplift
        graph.update_routes(height)
        height -= eroder.erode(height, graph.accumulate(1.0), 2.5e5)
        times.append(time.perf_counter() - start)
    print(1000 * sorted(times)[len(times) // 2])
